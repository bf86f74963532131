-- PostgreSQL runs this once, when its volume is new.
\getenv candor CANDOR_PASSWORD
\getenv door DOOR_PASSWORD
CREATE ROLE candor LOGIN PASSWORD :'candor';
CREATE ROLE "candor-door" LOGIN PASSWORD :'door';
CREATE DATABASE candor OWNER candor ENCODING 'UTF8' TEMPLATE template0;
