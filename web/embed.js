/*
Puts a panel of the page beside this script into another page:

  <script async src="https://…/embed.js"></script>
  <slow-start-panel id="p" state="size=64KB&amp;iw=46" controls="size,iw"></slow-start-panel>
  <button data-explorable-set="iw=3" data-explorable-for="p">3</button>

Optional attributes: panel, state, controls, theme, font, as in the page's address; width, height
in pixels (or that of its content); title, for people who hear the page; src, the page's address;
sandbox, see the README. A button without -for sets the first panel; with data-explorable-reset, on
top of `state`. Events: explorable-change (detail: panel, title, query, hero, text) at the start and
later, explorable-remarks (detail: remarks) on what cannot be set.
*/
(() => {
  const page = new URL('./', document.currentScript.src);
  const source = 'slow-start';
  const SANDBOX =
    'allow-scripts allow-same-origin allow-downloads allow-popups allow-popups-to-escape-sandbox';
  if (customElements.get('slow-start-panel')) return;

  class SlowStartPanel extends HTMLElement {
    static observedAttributes = ['state', 'theme', 'font'];
    #frame;
    #waiting = []; // until the panel listens

    connectedCallback() {
      const of = (name) => this.getAttribute(name) ?? '';
      const address = new URL(of('src') || page, document.baseURI);
      // With a height of its own it shows what has room in that.
      const query = new URLSearchParams(`embed=${of('height') ? 1 : 'grows'}&${of('state')}`);
      for (const key of ['panel', 'controls', 'theme', 'font']) if (of(key)) query.set(key, of(key));
      address.search = query;

      const frame = document.createElement('iframe');
      frame.title = this.title || 'A panel about TCP';
      frame.loading = 'lazy';
      frame.allow = 'clipboard-write';
      frame.sandbox = this.getAttribute('sandbox') ?? SANDBOX;
      frame.style = `display:block;width:100%;height:${parseFloat(of('height')) || 480}px;border:0`;
      this.style.display = 'block';
      if (of('width')) this.style.maxWidth = `${parseFloat(of('width'))}px`;
      this.#frame = frame;
      addEventListener('message', this);
      frame.src = address;
      this.replaceChildren(frame);
    }

    disconnectedCallback() {
      removeEventListener('message', this);
      this.#frame = undefined;
      this.#waiting = [];
    }

    attributeChangedCallback(name, _, value) {
      if (!this.#frame) return;
      if (name === 'state') this.set('', true);
      else this.#send({ type: 'theme', [name]: value ?? (name === 'font' ? '100' : 'auto') });
    }

    /** As in set('iw=46'); with reset, on top of `state`. */
    set(query, reset = false) {
      // The first of two equal keys counts.
      if (reset) query += `&${this.getAttribute('state') ?? ''}`;
      this.#send({ type: 'set', query, reset });
    }

    #send(message) {
      if (this.#waiting) this.#waiting.push(message);
      // A sandboxed frame has no origin to name, and settings are no secret.
      else this.#frame.contentWindow.postMessage({ source, ...message }, '*');
    }

    handleEvent({ source: sender, data }) {
      if (sender !== this.#frame.contentWindow || data?.source !== source) return;
      const { source: _, type, ...detail } = data;
      const tell = (name) => this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
      if (type === 'height' && detail.height > 0 && !this.hasAttribute('height')) {
        this.#frame.style.height = `${detail.height}px`;
      } else if (type === 'state') {
        const waiting = this.#waiting;
        this.#waiting = null;
        this.#frame.title = this.title || detail.title;
        waiting?.forEach((it) => this.#send(it));
        tell('explorable-change');
      } else if (type === 'remarks') {
        console.warn(...detail.remarks);
        tell('explorable-remarks');
      }
    }
  }
  customElements.define('slow-start-panel', SlowStartPanel);

  document.addEventListener('click', ({ target }) => {
    const data = target.closest?.('[data-explorable-set]')?.dataset;
    if (!data) return;
    const id = data.explorableFor;
    const panel = id ? document.getElementById(id) : document.querySelector('slow-start-panel');
    panel?.set?.(data.explorableSet, 'explorableReset' in data);
  });
})();
