//! Places of connections: their number, the share of each address, and the connections that give way.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard};

use super::visit::Visit;

/// Limits on connections.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Most connections at once.
    pub all: usize,
    /// Places that only clients with the token may take.
    pub kept: usize,
    /// Most connections at once from one address; 0 sets no limit.
    pub per_address: usize,
}

/// Reason why a connection gets no place.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Full {
    #[error("this address has {0} connections already: expected fewer; try again when a connection ends")]
    Address(usize),
    #[error("the server has no place for another connection: expected fewer connections; try again later")]
    Server,
}

/// Places of connections.
pub struct Places {
    limits: Limits,
    taken: Mutex<Taken>,
}

#[derive(Default)]
struct Taken {
    next: u64,
    seats: BTreeMap<u64, Seat>,
}

struct Seat {
    network: IpAddr,
    visit: Arc<Visit>,
}

/// The right to a connection, until it is dropped.
pub struct Place {
    places: Arc<Places>,
    id: u64,
    pub visit: Arc<Visit>,
}

impl Places {
    pub fn new(limits: Limits) -> Arc<Self> {
        Arc::new(Places { limits, taken: Mutex::default() })
    }

    fn lock(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().expect("no panic while locked")
    }

    /// Gives a connection from this address a place: a free place, otherwise the place of the client without a token
    /// for which the server has waited longest.
    ///
    /// # Errors
    /// [`Full`], if the server waits for none of these clients.
    pub fn enter(self: &Arc<Self>, address: IpAddr) -> Result<Place, Full> {
        let Limits { all, kept, per_address } = self.limits;
        let network = network(address);
        let mut taken = self.lock();
        let known = taken.seats.values().filter(|seat| seat.visit.is_known()).count();
        let strangers = taken.seats.len() - known;
        let neighbours = taken.seats.values().filter(|seat| seat.network == network).count();
        if per_address > 0 && neighbours >= per_address {
            taken.displace(|seat| seat.network == network).ok_or(Full::Address(neighbours))?;
        } else if strangers >= all - kept.max(known).min(all) {
            taken.displace(|_| true).ok_or(Full::Server)?;
        }
        let (id, visit) = (taken.next, Arc::new(Visit::new()));
        taken.next += 1;
        taken.seats.insert(id, Seat { network, visit: visit.clone() });
        Ok(Place { places: self.clone(), id, visit })
    }

    /// Returns the number of connections.
    pub fn len(&self) -> usize {
        self.lock().seats.len()
    }
}

impl Taken {
    /// Takes the place of one of these connections away, if the server waits for its client.
    fn displace(&mut self, may: impl Fn(&Seat) -> bool) -> Option<()> {
        let waiting = self.seats.iter().filter(|(_, seat)| !seat.visit.is_known() && may(seat));
        let waiting = waiting.filter_map(|(&id, seat)| Some((seat.visit.waits_since()?, id)));
        let (_, id) = waiting.min()?;
        self.seats.remove(&id).map(|seat| seat.visit.displace())
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.places.lock().seats.remove(&self.id);
    }
}

/// Returns the addresses that one client may be assumed to have: one address of IPv4, a network of 64 bits of IPv6.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use super::super::visit::Arrived;
    use super::*;

    const ALL: Limits = Limits { all: 4, kept: 1, per_address: 0 };

    fn from(places: &Arc<Places>, address: &str) -> Result<Place, Full> {
        places.enter(address.parse().unwrap())
    }

    fn is_displaced(place: &Place) -> bool {
        let context = &std::task::Context::from_waker(std::task::Waker::noop());
        place.visit.poll_displaced(context).is_ready()
    }

    #[test]
    fn strangers_give_way_in_the_order_of_their_silence() {
        let places = Places::new(ALL);
        let [first, second, third] =
            ["10.0.0.1", "10.0.0.2", "10.0.0.3"].map(|at| from(&places, at).unwrap());
        // The first connection sends a request, and has then been silent for the shortest time.
        first.visit.begin(Arrived::All);
        first.visit.answered();
        let fourth = from(&places, "10.0.0.4").unwrap();
        assert!(is_displaced(&second) && ![&first, &third, &fourth].into_iter().any(is_displaced));
        assert_eq!(places.len(), 3);
        // This connection has already lost its place.
        drop(second);
        assert_eq!(places.len(), 3);
    }

    #[test]
    fn clients_with_a_token_and_work_keep_their_places() {
        let places = Places::new(ALL);
        let clients = [(); 4].map(|()| {
            let place = from(&places, "10.0.0.1").unwrap();
            place.visit.know();
            place
        });
        assert_eq!(from(&places, "10.0.0.1").err(), Some(Full::Server));
        drop(clients);
        // Without a token, no places are kept, and connections with work in progress stay.
        let places = Places::new(Limits { kept: 0, ..ALL });
        let clients = [(); 4].map(|()| from(&places, "10.0.0.1").unwrap());
        clients.iter().for_each(|place| place.visit.begin(Arrived::All));
        assert_eq!(from(&places, "10.0.0.1").err(), Some(Full::Server));
        clients[2].visit.stick();
        assert!(from(&places, "10.0.0.1").is_ok());
        assert!(is_displaced(&clients[2]));
    }

    #[test]
    fn an_address_has_its_share() {
        let places = Places::new(Limits { per_address: 1, ..ALL });
        let first = from(&places, "10.0.0.1").unwrap();
        let other = from(&places, "10.0.0.2").unwrap();
        let mapped = from(&places, "::ffff:10.0.0.1").unwrap();
        assert!(is_displaced(&first) && !is_displaced(&other));
        mapped.visit.know();
        assert_eq!(from(&places, "10.0.0.1").err(), Some(Full::Address(1)));
        // With IPv6, a client has a network.
        let first = from(&places, "2001:db8::1").unwrap();
        let _second = from(&places, "2001:db8::ffff:1").unwrap();
        assert!(is_displaced(&first));
        assert!(from(&places, "2001:db8:0:1::1").is_ok());
    }
}
