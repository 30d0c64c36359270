//! Recognised clauses into findings: each clause joins the finding of its group that is open for its rank.

use super::evidence::{Card, Evidence, Figure, Finding, Hit, Kind, Process, Value};
use super::template::{Group, Role};
use crate::order;

/// How far a clause may stand from the rest of its finding, in bytes of the original.
const NEAR: usize = 6000;
/// The most tables and log lines that are kept, so that the failure behind a long log has its place.
const MOST_TABLES: usize = 200;

/// Builds the findings from hits in the order of the text.
pub struct Assembler {
    groups: &'static [&'static Group],
    /// The findings that a clause may still join, with the group and rank of each.
    open: Vec<(usize, Option<i64>, usize)>,
    /// How many findings are no failures.
    tables: usize,
    /// What has been found.
    pub evidence: Evidence,
}

impl Assembler {
    /// Nothing found yet.
    pub fn new(groups: &'static [&'static Group]) -> Assembler {
        Assembler {
            groups,
            open: Vec::new(),
            tables: 0,
            evidence: Evidence::default(),
        }
    }

    /// Takes the next hit.
    pub fn take(&mut self, group: usize, mut hit: Hit) {
        if hit.row.role == Role::Hints {
            if !self.evidence.hints.contains(&hit.row.id) {
                self.evidence.hints.push(hit.row.id);
            }
            return;
        }
        hit.finding = match hit.row.role {
            Role::Opens => self.begin(group, &hit),
            Role::Joins => self.joined(group, &hit).or_else(|| self.begin(group, &hit)),
            Role::Adds => self.joined(group, &hit),
            Role::Lists => self.listed(group, &hit).or_else(|| self.begin(group, &hit)),
            Role::Recovers => self.recover(&hit).or_else(|| self.begin(group, &hit)),
            Role::Hints => None,
        };
        if self.evidence.hits.len() < 20 * Evidence::MOST {
            self.evidence.hits.push(hit);
        }
    }

    /// Adds the hit to the finding that is open for it.
    fn joined(&mut self, group: usize, hit: &Hit) -> Option<usize> {
        let number = self.open_for(group, hit)?;
        let finding = self.evidence.findings.get(number)?;
        let repeats = hit
            .figures
            .iter()
            .any(|figure| is_single(figure.name) && says_otherwise(finding, figure));
        if repeats {
            return None;
        }
        self.listed(group, hit)
    }

    /// Adds the hit to the finding that is open for it, whatever that holds already.
    fn listed(&mut self, group: usize, hit: &Hit) -> Option<usize> {
        let number = self.open_for(group, hit)?;
        add(self.evidence.findings.get_mut(number)?, hit);
        Some(number)
    }

    /// The finding of this group and rank that is open, and near.
    fn open_for(&self, group: usize, hit: &Hit) -> Option<usize> {
        let open = |(open, rank, _): &&(usize, Option<i64>, usize)| *open == group && *rank == hit.rank;
        let (.., number) = self.open.iter().rev().find(open)?;
        let finding = self.evidence.findings.get(*number)?;
        (hit.span.start <= finding.span.end + NEAR).then_some(*number)
    }

    fn begin(&mut self, group: usize, hit: &Hit) -> Option<usize> {
        self.evidence.count += 1;
        let is_failure = self.groups[group].kind.is_failure();
        self.tables += usize::from(!is_failure);
        if self.evidence.findings.len() >= Evidence::MOST || (!is_failure && self.tables > MOST_TABLES) {
            return None;
        }
        let mut finding = Finding {
            kind: self.groups[group].kind,
            tool: self.groups[group].tool,
            format: hit.row.format,
            device: None,
            rank: hit.rank,
            figures: Vec::new(),
            processes: Vec::new(),
            cards: Vec::new(),
            span: hit.span,
            recovered: hit.row.role == Role::Recovers,
            rows: Vec::new(),
            times: 1,
        };
        add(&mut finding, hit);
        let number = self.evidence.findings.len();
        self.evidence.findings.push(finding);
        self.open.retain(|(open, rank, _)| *open != group || *rank != hit.rank);
        self.open.push((group, hit.rank, number));
        Some(number)
    }

    fn recover(&mut self, hit: &Hit) -> Option<usize> {
        let number = self
            .evidence
            .findings
            .iter()
            .rposition(|finding| finding.kind.is_failure())?;
        let finding = self.evidence.findings.get_mut(number)?;
        finding.recovered = true;
        finding.rows.push(hit.row.id);
        Some(number)
    }

    /// The finished evidence: findings that repeat one another word for word are one, counted.
    pub fn finish(mut self) -> Evidence {
        self.evidence.hits = order::by_key(self.evidence.hits, |hit| hit.span.start as i64);
        let mut kept: Vec<Finding> = Vec::new();
        let all = std::mem::take(&mut self.evidence.findings);
        let mut moved = vec![0; all.len()];
        let numbered: Vec<(usize, Finding)> = all.into_iter().enumerate().collect();
        let ordered = order::by_key(numbered, |(_, finding)| finding.span.start as i64);
        for (number, finding) in ordered {
            let twin = kept.iter().rev().take(16).position(|other| is_same(other, &finding));
            match twin.map(|back| kept.len() - 1 - back) {
                Some(twin) => {
                    kept[twin].times += 1;
                    kept[twin].recovered &= finding.recovered;
                    moved[number] = twin;
                }
                None => {
                    moved[number] = kept.len();
                    kept.push(finding);
                }
            }
        }
        for hit in &mut self.evidence.hits {
            hit.finding = hit.finding.and_then(|number| moved.get(number).copied());
        }
        self.evidence.findings = kept;
        self.evidence
    }
}

/// Figures that a finding may have several of.
fn is_single(name: &str) -> bool {
    !matches!(name, "pid" | "process" | "process_name" | "device" | "hint")
}

fn says_otherwise(finding: &Finding, figure: &Figure) -> bool {
    finding
        .figures
        .iter()
        .any(|other| other.name == figure.name && other.value != figure.value && !is_request_again(other, figure))
}

/// Whether two figures are one request in two notations: 144817.04 MiB, and 151851674624 bytes.
fn is_request_again(one: &Figure, other: &Figure) -> bool {
    match (&one.value, &other.value) {
        (Value::Bytes(one_bytes), Value::Bytes(other_bytes)) => {
            one.name == "requested"
                && (one_bytes.0.abs_diff(other_bytes.0)).saturating_mul(200) <= one_bytes.0.unsigned_abs()
        }
        _ => false,
    }
}

fn is_same(one: &Finding, other: &Finding) -> bool {
    let values = |finding: &Finding| -> Vec<(&'static str, Value)> {
        finding
            .figures
            .iter()
            .map(|figure| (figure.name, figure.value.clone()))
            .collect()
    };
    one.kind == other.kind
        && one.kind.is_failure()
        && one.device == other.device
        && one.rank == other.rank
        && one.processes.len() == other.processes.len()
        && values(one) == values(other)
}

/// Puts a hit's figures where they belong.
fn add(finding: &mut Finding, hit: &Hit) {
    finding.span = finding.span.and(hit.span);
    if !finding.rows.contains(&hit.row.id) {
        finding.rows.push(hit.row.id);
    }
    // The parts of a table may be rows of another tool's.
    let table = finding.kind == Kind::Monitor && !finding.format.is_empty();
    if !hit.row.format.is_empty() && !table {
        finding.format = hit.row.format;
    }
    let mut process = Process {
        span: hit.span,
        ..Process::default()
    };
    let mut card = Card {
        span: hit.span,
        ..Card::default()
    };
    for figure in &hit.figures {
        match (figure.name, &figure.value) {
            ("device", Value::Count(index)) => finding.device = finding.device.or(Some(*index)),
            ("pid", Value::Count(pid)) => process.pid = Some(*pid),
            ("process", Value::Bytes(bytes)) => process.bytes = Some(*bytes),
            ("process_name", Value::Word(name)) => process.name = Some(name.clone()),
            ("gpu", Value::Count(index)) => process.gpu = Some(*index),
            ("card", Value::Word(name)) => card.name = Some(name.clone()),
            ("card_index", Value::Count(index)) => card.index = Some(*index),
            ("card_total", Value::Bytes(total)) => card.total = Some(*total),
            ("card_used", Value::Bytes(used)) => card.used = Some(*used),
            ("card_load", Value::Count(percent)) => card.utilization = Some(*percent),
            // NVML's "unknown" on Windows: a process without an amount.
            ("process", Value::Unlimited) => {}
            _ => {
                if !finding
                    .figures
                    .iter()
                    .any(|other| other.name == figure.name && other.value == figure.value)
                {
                    finding.figures.push(figure.clone());
                }
            }
        }
    }
    let known = |other: &Process| other.pid == process.pid && other.gpu == process.gpu && process.bytes.is_none();
    if (process.pid.is_some() || process.name.is_some()) && !finding.processes.iter().any(known) {
        finding.processes.push(process);
    }
    if card.index.is_some() || card.name.is_some() || card.total.is_some() || card.used.is_some() {
        match finding.cards.iter_mut().rev().find(|other| completes(&card, other)) {
            Some(other) => merge(card, other),
            None => finding.cards.push(card),
        }
    }
}

/// Whether a line tells what another line left open about the same card: a name here, a capacity there.
fn completes(card: &Card, other: &Card) -> bool {
    let apart = card.index.is_some() && other.index.is_some() && card.index != other.index;
    let twice = (card.name.is_some() && other.name.is_some())
        || (card.total.is_some() && other.total.is_some())
        || (card.used.is_some() && other.used.is_some());
    !apart && !twice
}

fn merge(card: Card, other: &mut Card) {
    other.index = other.index.or(card.index);
    other.name = other.name.take().or(card.name);
    other.total = other.total.or(card.total);
    other.used = other.used.or(card.used);
    other.utilization = other.utilization.or(card.utilization);
    other.span = other.span.and(card.span);
}
