//! Reading sectors: READ CD, addresses, layouts, subchannels.
