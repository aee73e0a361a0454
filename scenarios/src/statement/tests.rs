mod corpus;
mod mapping;
mod mutation;
mod round_trip;
mod rules;
