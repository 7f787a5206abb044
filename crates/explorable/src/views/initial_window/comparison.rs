//! The windows side by side.

use crate::browser::dom;
use crate::panel::view::Part;
use packet_core::quantity::Quantity;
use packet_core::study::{COST_QUANTITIES, Cost, InitialWindow, Run};
use web_sys::HtmlElement;

/// What is shown of one connection, and of several, with the names of the rows.
const ALONE: &[(&str, &str)] = &[
    ("alone_ms", "Time"),
    ("alone_round_trips", "Round trips of data"),
    ("alone_queue_drops", "Dropped by the queue"),
    ("alone_retransmissions", "Retransmissions"),
];
const TOGETHER: &[(&str, &str)] = &[
    ("slowest_response_ms", "Slowest response"),
    ("mean_response_ms", "Average response"),
    ("queue_drops", "Dropped by the queue"),
    ("retransmissions", "Retransmissions"),
    ("retransmission_rate_percent", "Retransmission rate"),
];

/// A table with a column for each window.
pub struct Comparison {
    table: HtmlElement,
}

impl Comparison {
    /// The table above the charts of the panel in `root`.
    pub fn new(root: &HtmlElement) -> Comparison {
        let place = dom::create("div", "comparison");
        if let Ok(Some(charts)) = root.query_selector(".charts") {
            let _ = charts.insert_adjacent_element("beforebegin", &place);
        }
        // Where the table is wider than the window, it is moved by arrow keys.
        dom::set(&place, "tabindex", "0");
        let table = dom::append(&place, "table", "");
        dom::set(&table, "aria-label", "The windows side by side");
        Comparison { table }
    }

    fn rows(&self, title: &str, quantities: &[(&str, &str)], costs: &[Cost]) {
        let body = dom::append(&self.table, "tbody", "");
        let head = dom::append_text(&dom::append(&body, "tr", ""), "th", "title", title);
        dom::set(&head, "scope", "rowgroup");
        dom::set(&head, "colspan", &(costs.len() + 1).to_string());
        for (key, name) in quantities {
            let is_it = |q: &&Quantity<Cost>| q.key == *key;
            let Some(quantity) = COST_QUANTITIES.iter().find(is_it) else { continue };
            let line = dom::append(&body, "tr", "");
            let cell = dom::append_text(&line, "th", "", name);
            dom::set(&cell, "scope", "row");
            dom::set(&cell, "title", quantity.help);
            for cost in costs {
                // The row's name has said what is counted.
                let figure = (quantity.value)(cost).number().unwrap_or_default();
                dom::append_text(&line, "td", "", &quantity.unit.figure(figure));
            }
        }
    }
}

impl Part<InitialWindow> for Comparison {
    fn show(&self, run: &Run) {
        self.table.set_text_content(None);
        let head = dom::append(&dom::append(&self.table, "thead", ""), "tr", "");
        dom::append_text(&head, "td", "", "Initial window");
        for cost in &run.costs {
            let window = cost.alone.initial_window;
            let cell = dom::append_text(&head, "th", "", &window.to_string());
            dom::set(&cell, "scope", "col");
            let role = match window {
                _ if window == run.scenario.current => "current",
                _ if window == run.scenario.proposed => "proposed",
                _ => continue,
            };
            dom::append_text(&cell, "small", "", &format!(" {role}"));
        }
        self.rows("One connection, alone", ALONE, &run.costs);
        if run.is_shared() {
            let title = format!("{} connections at once", run.scenario.common.connections);
            self.rows(&title, TOGETHER, &run.costs);
        }
    }
}
