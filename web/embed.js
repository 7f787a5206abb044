/*
Puts a panel of the page beside this script into another page:

  <script async src="https://…/embed.js"></script>
  <slow-start-panel id="p" state="size=64KB&amp;iw=46" controls="size,iw"></slow-start-panel>

Attributes, all optional: panel, state, controls, theme, font, as in the page's address; width and
height in pixels (without: as high as the content); title; src, another address of the page; sandbox,
at its strictest "allow-scripts" (for which the README has a word).

  <button data-explorable-set="iw=46" data-explorable-for="p">a larger window</button>

sets controls (of the first panel, if without -for); with data-explorable-reset, on top of `state`.
The element fires `explorable-change` (detail: panel, query, hero, text) at its start and after each
change, and `explorable-remarks` (detail: remarks) on what cannot be set so.
*/
(() => {
  const page = new URL('./', document.currentScript.src);
  const source = 'slow-start';

  class SlowStartPanel extends HTMLElement {
    static observedAttributes = ['state', 'theme', 'font'];
    #frame;
    #waiting = [];

    connectedCallback() {
      const of = (name) => this.getAttribute(name) ?? '';
      const address = new URL(of('src') || page, document.baseURI);
      const query = new URLSearchParams(of('state'));
      query.set('embed', '1');
      for (const name of ['panel', 'controls', 'theme', 'font']) if (of(name)) query.set(name, of(name));
      address.search = query;

      const frame = document.createElement('iframe');
      frame.title = this.title || 'Interactive panel: how a TCP connection starts';
      frame.loading = 'lazy';
      frame.allow = 'clipboard-write';
      frame.sandbox = this.hasAttribute('sandbox')
        ? of('sandbox')
        : 'allow-scripts allow-same-origin allow-downloads allow-popups allow-popups-to-escape-sandbox';
      frame.style.cssText = 'display:block;box-sizing:border-box;width:100%;border:0';
      frame.style.height = `${parseFloat(of('height')) || 480}px`;
      this.style.display = 'block';
      if (of('width')) this.style.maxWidth = `${parseFloat(of('width'))}px`;
      // What is sent before the panel listens would be lost.
      this.#waiting = [];
      this.#frame = frame;
      addEventListener('message', this);
      frame.src = address;
      this.replaceChildren(frame);
    }

    disconnectedCallback() {
      removeEventListener('message', this);
    }

    attributeChangedCallback(name, before, value) {
      if (!this.#frame || before === value) return;
      if (name === 'state') this.set('', true);
      else this.#send({ type: 'theme', [name]: value ?? { theme: 'auto', font: '100' }[name] });
    }

    /** Sets controls, as in set('iw=46'); with reset, on top of `state`. */
    set(query, reset = false) {
      // Of a key that stands there twice, the first counts.
      const whole = reset ? `${query}&${this.getAttribute('state') ?? ''}` : query;
      this.#send({ type: 'set', query: whole, reset });
    }

    #send(message) {
      if (this.#waiting) this.#waiting.push(message);
      // To any origin: a sandboxed frame has none to name, and settings are no secret.
      else this.#frame.contentWindow.postMessage({ source, ...message }, '*');
    }

    handleEvent({ source: sender, data }) {
      if (sender !== this.#frame.contentWindow || data?.source !== source) return;
      const { source: _, type, ...detail } = data;
      const tell = (name) => this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
      if (type === 'height' && detail.height > 0 && !this.hasAttribute('height')) {
        this.#frame.style.height = `${detail.height}px`;
      } else if (type === 'state') {
        const waiting = this.#waiting ?? [];
        this.#waiting = null;
        waiting.forEach((message) => this.#send(message));
        tell('explorable-change');
      } else if (type === 'remarks') {
        console.warn(...detail.remarks);
        tell('explorable-remarks');
      }
    }
  }
  customElements.define('slow-start-panel', SlowStartPanel);

  document.addEventListener('click', ({ target }) => {
    const { explorableSet, explorableFor, explorableReset } =
      target.closest?.('[data-explorable-set]')?.dataset ?? {};
    if (explorableSet === undefined) return;
    const panel = explorableFor
      ? document.getElementById(explorableFor)
      : document.querySelector('slow-start-panel');
    panel?.set?.(explorableSet, explorableReset !== undefined);
  });
})();
