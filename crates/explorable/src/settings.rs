//! What is set on a scenario, in words: for people, for the command line, for the name of a file.

use crate::view::View;
use packet_core::model::{Model, to_query};
use packet_core::parameter::Parameter;

/// Characters of a file's name that say the scenario; more would be cut by some systems.
const NAME_LENGTH: usize = 100;

/// The parameters that are not as a scenario of the same preset starts.
fn changed<M: Model>(
    scenario: &M::Scenario,
) -> impl Iterator<Item = &'static Parameter<M::Scenario>> {
    let start = M::baseline(scenario);
    M::parameters().filter(move |p| (p.get)(scenario) != (p.get)(&start))
}

/// What differs from the start values: `Response size 64 KB, Initial window 46 segments`.
pub fn describe<M: Model>(scenario: &M::Scenario) -> String {
    let parts: Vec<_> = changed::<M>(scenario)
        .map(|p| format!("{} {}", p.label, p.show((p.get)(scenario))))
        .collect();
    if parts.is_empty() { "the start values".to_owned() } else { parts.join(", ") }
}

/// The same run on the command line: `slowstart run --size 64KB --initial-window 46`.
pub fn command<M: View>(scenario: &M::Scenario) -> String {
    format!("slowstart {}{}", M::COMMAND, options::<M>(scenario))
}

/// What differs from the start values as options: ` --size 64KB --initial-window 46`.
pub fn options<M: Model>(scenario: &M::Scenario) -> String {
    // All assumptions but the preset, which stands among the settings there too.
    let is_assumed = |name| M::ASSUMPTIONS.iter().skip(1).any(|p| p.name == name);
    changed::<M>(scenario)
        .map(|p| match (p.name, p.exact((p.get)(scenario))) {
            (name, value) if is_assumed(name) => format!(" --assume {name}={value}"),
            (name, value) => format!(" --{name} {value}"),
        })
        .collect()
}

/// The name of a file about the run, without its ending: `slow-start-size-64KB-iw-46`.
pub fn file_name<M: View>(scenario: &M::Scenario) -> String {
    let query = to_query::<M>(scenario);
    let name: String = format!("{} {query}", M::NAME)
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' })
        .take(NAME_LENGTH)
        .collect();
    name.trim_end_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use packet_core::assumptions::{Pacing, Preset};
    use packet_core::bdp::{self, BandwidthDelay, SizingRule};
    use packet_core::units::{Bytes, Time};
    use packet_core::{Scenario, SlowStart};

    fn scenario() -> Scenario {
        Scenario {
            size: Bytes::kb(64),
            initial_window: 46,
            idle: Some(Time::millis(500)),
            ..Scenario::default()
        }
    }

    #[test]
    fn settings_are_told_to_people() {
        assert_eq!(
            describe::<SlowStart>(&scenario()),
            "Response size 64 KB, Initial window 46 segments, Idle, then a second request 500 ms"
        );
        assert_eq!(describe::<SlowStart>(&Scenario::default()), "the start values");
    }

    #[test]
    fn settings_are_told_to_the_command_line() {
        assert_eq!(
            command::<SlowStart>(&scenario()),
            "slowstart run --size 64KB --initial-window 46 --idle 500ms"
        );
        let mut scenario = Scenario::of(Preset::Linux);
        scenario.assumptions.pacing = Pacing::FqLike;
        assert_eq!(
            command::<SlowStart>(&scenario),
            "slowstart run --model linux --assume pacing=fq-like"
        );
        let rule = SizingRule::MyLinkXIdlePing;
        let scenario = bdp::Scenario { rule, ..bdp::Scenario::default() };
        assert_eq!(
            command::<BandwidthDelay>(&scenario),
            "slowstart bdp --rule my-link-x-idle-ping"
        );
    }

    #[test]
    fn a_files_name_says_the_scenario() {
        assert_eq!(file_name::<SlowStart>(&scenario()), "slow-start-size-64KB-iw-46-idle-500ms");
        assert_eq!(file_name::<SlowStart>(&Scenario::default()), "slow-start");
    }
}
