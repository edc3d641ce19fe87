"""What a bench file asks for, before anything is measured: its procedures, run against devices that are modelled."""
