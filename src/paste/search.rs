//! Finds many fixed strings in one linear pass: an Aho-Corasick automaton over squeezed text.
//!
//! It is written here rather than taken from a crate since it has to step over white space, quotes and case while it
//! searches (a terminal breaks messages anywhere), and since the crate costs more bytes than the page can spare.

use super::text::{SKIP, fold};

const STRIDE: usize = 64;
/// How many places of a long text are searched side by side: each look-up waits for the one before, so that several
/// chains of them cost hardly more than one.
const LANES: usize = 4;
/// How much of the text each of them takes in one go.
const LANE: usize = 16 * 1024;
/// How far it goes on into the next one's, for what stands across the border.
const OVERLAP: usize = 512;
/// Marks a transition into a state in which a pattern ends.
const ENDS: u16 = 0x8000;

/// The automaton. Reading a byte is one look-up in `next`.
pub struct Search {
    /// The column of each byte: 0 for bytes of no pattern, 1 for bytes that are stepped over. The bytes of patterns past
    /// the last column share it: what is found may differ in those, so that whoever asks must compare.
    column: [u8; 256],
    /// `next[state * STRIDE + column]`, the states in the order of their depth.
    next: Vec<u16>,
    /// For each state the patterns that end there: `(first, count)` in `ends`.
    ending: Vec<(u16, u16)>,
    ends: Vec<u16>,
}

impl Search {
    /// The automaton for these patterns, which must be squeezed already ([`super::text::squeeze`]) and not empty.
    pub fn new<'a>(patterns: impl Iterator<Item = &'a [u8]> + Clone) -> Search {
        let mut column = [0u8; 256];
        let mut columns = 2u8;
        for byte in 0..=255u8 {
            if fold(byte) == SKIP {
                column[byte as usize] = 1;
            }
        }
        for byte in patterns.clone().flatten() {
            if column[*byte as usize] == 0 {
                column[*byte as usize] = columns;
                column[byte.to_ascii_uppercase() as usize] = columns;
                columns = (columns + 1).min(STRIDE as u8 - 1);
            }
        }
        let mut search = Search {
            column,
            next: vec![0; STRIDE],
            ending: Vec::new(),
            ends: Vec::new(),
        };
        let mut finals: Vec<(u16, u16)> = Vec::new();
        for (number, pattern) in patterns.enumerate() {
            let mut state = 0usize;
            for byte in pattern {
                let slot = state * STRIDE + usize::from(search.column[*byte as usize]);
                if search.next[slot] == 0 {
                    search.next[slot] = (search.next.len() / STRIDE) as u16;
                    search.next.resize(search.next.len() + STRIDE, 0);
                }
                state = usize::from(search.next[slot]);
            }
            finals.push((state as u16, number as u16));
        }
        search.link(finals);
        search
    }

    /// Fills the missing transitions breadth first, and lists what ends in each state.
    fn link(&mut self, finals: Vec<(u16, u16)>) {
        let states = self.next.len() / STRIDE;
        let mut own: Vec<Vec<u16>> = vec![Vec::new(); states];
        for (state, number) in finals {
            own[usize::from(state)].push(number);
        }
        let mut back = vec![0usize; states];
        let mut queue: Vec<usize> = Vec::with_capacity(states);
        queue.extend(
            self.next[..STRIDE]
                .iter()
                .filter(|state| **state != 0)
                .map(|state| usize::from(*state)),
        );
        let mut done = 0;
        while done < queue.len() {
            let state = queue[done];
            done += 1;
            let inherited = own[back[state]].clone();
            own[state].extend(inherited);
            for column in 2..STRIDE {
                let slot = state * STRIDE + column;
                let fallback = self.next[back[state] * STRIDE + column];
                match usize::from(self.next[slot]) {
                    0 => self.next[slot] = fallback,
                    child => {
                        back[child] = usize::from(fallback);
                        queue.push(child);
                    }
                }
            }
        }
        for slot in &mut self.next {
            if !own[usize::from(*slot)].is_empty() {
                *slot |= ENDS;
            }
        }
        for (state, numbers) in own.into_iter().enumerate() {
            // A byte that is stepped over ends nothing again.
            self.next[state * STRIDE + 1] = state as u16;
            self.ending.push((self.ends.len() as u16, numbers.len() as u16));
            self.ends.extend(numbers);
        }
    }

    /// Calls `found(end, pattern)` for each occurrence of each pattern, and for some that differ in rare bytes; `end` is
    /// the offset of the last byte.
    pub fn each(&self, text: &[u8], mut found: impl FnMut(usize, usize)) {
        let mut state = 0u16;
        for (at, byte) in text.iter().enumerate() {
            state = self.step(state, *byte);
            if state & ENDS != 0 {
                let (first, count) = self.ending[usize::from(state & !ENDS)];
                for number in &self.ends[usize::from(first)..usize::from(first + count)] {
                    found(at, usize::from(*number));
                }
            }
        }
    }

    /// Calls `found(end)` for places of a long text where a pattern ends, roughly in order: a place may come twice, and
    /// up to [`OVERLAP`] bytes late. What is stretched over more than that by white space may be missed.
    ///
    /// The text may come in pieces: `text` is what is there from the place on where the last search ended, with at least
    /// `spare` bytes to follow any place that is told unless it is the `last` piece. Returns how far the search came.
    #[inline(never)]
    pub fn places(&self, text: &[u8], spare: usize, last: bool, found: &mut dyn FnMut(usize)) -> usize {
        let mut start = 0;
        let mut places: [Vec<usize>; LANES] = Default::default();
        let spare = if last { 0 } else { spare };
        while text.len() - start > LANES * LANE + OVERLAP + spare {
            let lane = |number: usize| &text[start + number * LANE..start + (number + 1) * LANE + OVERLAP];
            let mut states = [0u16; LANES];
            let lanes = lane(0).iter().zip(lane(1)).zip(lane(2)).zip(lane(3));
            for (at, (((one, two), three), four)) in lanes.enumerate() {
                states = [
                    self.step(states[0], *one),
                    self.step(states[1], *two),
                    self.step(states[2], *three),
                    self.step(states[3], *four),
                ];
                if (states[0] | states[1] | states[2] | states[3]) & ENDS != 0 {
                    let ending = (0..LANES).filter(|number| states[*number] & ENDS != 0);
                    ending.for_each(|number| places[number].push(start + number * LANE + at));
                }
            }
            places.iter_mut().flat_map(|lane| lane.drain(..)).for_each(&mut *found);
            start += LANES * LANE;
        }
        if last {
            self.each(&text[start..], |at, _| found(start + at));
            start = text.len();
        }
        start
    }

    /// The state behind a byte, with [`ENDS`] where a pattern ends in it.
    #[inline(always)]
    fn step(&self, state: u16, byte: u8) -> u16 {
        let column = usize::from(self.column[usize::from(byte)]);
        self.next[usize::from(state & !ENDS) * STRIDE + column]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(patterns: &[&str], text: &str) -> Vec<(usize, usize)> {
        let search = Search::new(patterns.iter().map(|pattern| pattern.as_bytes()));
        let mut found = Vec::new();
        search.each(text.as_bytes(), |end, number| found.push((end, number)));
        found
    }

    #[test]
    fn finds_overlapping_and_contained_patterns() {
        assert_eq!(ends(&["she", "he", "hers"], "ushers"), [(3, 0), (3, 1), (5, 2)]);
        assert_eq!(ends(&["aa"], "aaa"), [(1, 0), (2, 0)]);
    }

    #[test]
    fn steps_over_white_space_quotes_and_case() {
        assert_eq!(ends(&["outofmemory"], "CUDA Out of\n  mem\r\nory"), [(21, 0)]);
        assert_eq!(ends(&["memory"], "me`m\"ory"), [(7, 0)]);
    }

    #[test]
    fn a_long_text_is_searched_to_the_last_byte() {
        let search = Search::new(["needle".as_bytes()].into_iter());
        let mut text = vec![b'.'; 5 * LANES * LANE + 77];
        let planted = [
            0,
            LANE - 3,
            LANE + 20,
            4 * LANE - 2,
            7 * LANE + 5,
            5 * LANES * LANE - 4,
            text.len() - 6,
        ];
        for at in planted {
            text[at..at + 6].copy_from_slice(b"needle");
        }
        let mut places = Vec::new();
        search.places(&text, 0, true, &mut |at| places.push(at - 5));
        places.sort_unstable();
        places.dedup();
        assert_eq!(places, planted);
    }

    #[test]
    fn more_bytes_than_columns_hide_no_pattern() {
        let all: Vec<String> = (0x21u8..0x7f)
            .filter(|byte| fold(*byte) == *byte)
            .map(|byte| format!("x{}", char::from(byte)))
            .collect();
        let patterns: Vec<&str> = all.iter().map(String::as_str).collect();
        for (number, pattern) in patterns.iter().enumerate() {
            assert!(ends(&patterns, pattern).contains(&(1, number)), "{pattern}");
        }
    }

    #[test]
    fn finds_what_a_naive_search_finds() {
        let patterns = ["abab", "bab", "b", "ca", "abc"];
        let mut seed = 7u32;
        let text: String = (0..4000)
            .map(|_| {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                char::from(b"abcd"[(seed >> 24) as usize % 4])
            })
            .collect();
        let mut naive = Vec::new();
        for at in 0..text.len() {
            for (number, pattern) in patterns.iter().enumerate() {
                if text[..=at].ends_with(pattern) {
                    naive.push((at, number));
                }
            }
        }
        let mut found = ends(&patterns, &text);
        found.sort();
        naive.sort();
        assert_eq!(found, naive);
    }
}
