//! A scenario and a run whatever their model is: what the page does with them is there once, not once
//! for each model.

use super::log::Story;
use super::view::{Hero, Part, Readout, Tab, Table, Taken, View};
use crate::charts::chart::Plot;
use crate::charts::ladder::Ladder;
use packet_core::Model;
use packet_core::model::{Of, Settable};
use packet_core::parameter::{Invalid, Value};
use packet_core::quantity::{Figure, Quantity};
use packet_core::units::Unit;
use std::any::Any;
use web_sys::HtmlElement;

/// The constants of a [`View`].
pub struct About {
    /// [`View::NAME`].
    pub name: &'static str,
    /// [`View::PREFIX`].
    pub prefix: &'static str,
    /// [`View::HERO`].
    pub hero: &'static str,
    /// [`View::FIGURE`].
    pub figure: &'static str,
    /// [`View::COMMAND`].
    pub command: &'static str,
    /// [`View::TELLING`].
    pub telling: &'static [&'static str],
    /// [`View::MORE`].
    pub more: &'static [&'static str],
    /// [`View::SUMMARY`].
    pub summary: &'static str,
    /// [`View::LOG`].
    pub log: &'static str,
    /// [`View::IS_TIMED`].
    pub is_timed: bool,
    /// [`View::TABS`].
    pub tabs: &'static [Tab],
    /// [`View::GROUPS`].
    pub groups: &'static [(&'static str, &'static str)],
    /// How many of what can be set stand among the settings: all but the assumptions, of which only the
    /// preset does.
    pub settings: usize,
}

/// What a quantity is called, and what it is measured in.
pub struct Measure {
    /// [`Quantity::key`].
    pub key: &'static str,
    /// [`Quantity::label`].
    pub label: &'static str,
    /// [`Quantity::unit`].
    pub unit: Unit,
}

/// A scenario of some model, [`Of`] which it is.
pub trait AnyScenario: Settable {
    /// How its model is shown.
    fn about(&self) -> &'static About;
    /// The start values of its model.
    fn start(&self) -> Box<dyn AnyScenario>;
    /// The same once more.
    fn copy(&self) -> Box<dyn AnyScenario>;
    /// [`Model::run`].
    fn run(&self) -> Result<Box<dyn AnyRun>, Invalid>;
    /// [`Model::QUANTITIES`].
    fn quantities(&self) -> Vec<Measure>;
    /// [`View::lose`].
    fn lose(&mut self, segment: u32);
    /// [`View::pick`].
    fn pick(&mut self, plot: usize, x: f64);
    /// [`View::assumption`].
    fn assumption(&self, key: &str) -> Option<Taken>;
    /// [`View::command`].
    fn command(&self) -> String;
    /// [`View::parts`].
    fn parts(&self, root: &HtmlElement) -> Vec<Box<dyn AnyPart>>;

    /// The quantity with this key.
    fn quantity(&self, key: &str) -> Option<Measure> {
        self.quantities().into_iter().find(|q| q.key == key)
    }

    /// The values of all that can be set.
    fn values(&self) -> Vec<Value> {
        (0..self.settings().len()).map(|place| self.get(place)).collect()
    }
}

/// The start values of a model.
pub fn start<M: View>() -> Box<dyn AnyScenario> {
    Box::new(Of::<M>(M::Scenario::default()))
}

impl Clone for Box<dyn AnyScenario> {
    fn clone(&self) -> Self {
        self.copy()
    }
}

/// Of the same model.
impl PartialEq for dyn AnyScenario {
    fn eq(&self, other: &Self) -> bool {
        self.values() == other.values()
    }
}

/// A [`Part`] of a panel.
pub trait AnyPart {
    /// [`Part::show`]; the run is of the part's model.
    fn show(&self, run: &dyn AnyRun);
}

/// A run of some model.
pub trait AnyRun: Any {
    /// [`View::hero`].
    fn hero(&self) -> Hero;
    /// [`View::readouts`].
    fn readouts(&self) -> Vec<Readout>;
    /// [`View::plots_of`].
    fn plots(&self, tab: usize) -> Vec<Plot>;
    /// [`View::ladder`].
    fn ladder(&self) -> Option<Ladder>;
    /// [`View::note`].
    fn note(&self, key: &str) -> Option<String>;
    /// [`View::effect`].
    fn effect(&self, key: &str) -> Option<String>;
    /// [`View::tables`].
    fn tables(&self) -> Vec<Table>;
    /// [`Model::log`].
    fn log(&self) -> Story;
    /// [`Model::trace_csv`].
    fn trace_csv(&self) -> String;
    /// The value of the quantity with this key, and how it reads.
    fn figure(&self, key: &str) -> Option<(Figure, String)>;
}

impl<M: View> AnyScenario for Of<M> {
    fn about(&self) -> &'static About {
        const {
            &About {
                name: M::NAME,
                prefix: M::PREFIX,
                hero: M::HERO,
                figure: M::FIGURE,
                command: M::COMMAND,
                telling: M::TELLING,
                more: M::MORE,
                summary: M::SUMMARY,
                log: M::LOG,
                is_timed: M::IS_TIMED,
                tabs: M::TABS,
                groups: M::GROUPS,
                settings: M::PARAMETERS.len() + if M::ASSUMPTIONS.is_empty() { 0 } else { 1 },
            }
        }
    }

    fn start(&self) -> Box<dyn AnyScenario> {
        start::<M>()
    }

    fn copy(&self) -> Box<dyn AnyScenario> {
        Box::new(Of::<M>(self.0.clone()))
    }

    fn run(&self) -> Result<Box<dyn AnyRun>, Invalid> {
        Ok(Box::new(RunOf::<M>(M::run(&self.0)?)))
    }

    fn quantities(&self) -> Vec<Measure> {
        let measure = |&Quantity { key, label, unit, .. }: &_| Measure { key, label, unit };
        M::QUANTITIES.iter().map(measure).collect()
    }

    fn lose(&mut self, segment: u32) {
        M::lose(&mut self.0, segment);
    }

    fn pick(&mut self, plot: usize, x: f64) {
        M::pick(&mut self.0, plot, x);
    }

    fn assumption(&self, key: &str) -> Option<Taken> {
        M::assumption(&self.0, key)
    }

    fn command(&self) -> String {
        M::command(&self.0)
    }

    fn parts(&self, root: &HtmlElement) -> Vec<Box<dyn AnyPart>> {
        let parts = M::parts(root).into_iter();
        parts.map(|part| Box::new(PartOf::<M>(part)) as Box<dyn AnyPart>).collect()
    }
}

struct PartOf<M: Model>(Box<dyn Part<M>>);

impl<M: View> AnyPart for PartOf<M> {
    fn show(&self, run: &dyn AnyRun) {
        if let Some(run) = (run as &dyn Any).downcast_ref::<RunOf<M>>() {
            self.0.show(&run.0);
        }
    }
}

struct RunOf<M: Model>(M::Run);

impl<M: View> AnyRun for RunOf<M> {
    fn hero(&self) -> Hero {
        M::hero(&self.0)
    }

    fn readouts(&self) -> Vec<Readout> {
        M::readouts(&self.0)
    }

    fn plots(&self, tab: usize) -> Vec<Plot> {
        M::plots_of(&self.0, tab)
    }

    fn ladder(&self) -> Option<Ladder> {
        M::ladder(&self.0)
    }

    fn note(&self, key: &str) -> Option<String> {
        M::note(&self.0, key)
    }

    fn effect(&self, key: &str) -> Option<String> {
        M::effect(&self.0, key)
    }

    fn tables(&self) -> Vec<Table> {
        M::tables(&self.0)
    }

    fn log(&self) -> Story {
        Story::of(M::log(&self.0))
    }

    fn trace_csv(&self) -> String {
        M::trace_csv(&self.0)
    }

    fn figure(&self, key: &str) -> Option<(Figure, String)> {
        let quantity = M::quantity(key)?;
        Some(((quantity.value)(&self.0), quantity.show(&self.0)))
    }
}
