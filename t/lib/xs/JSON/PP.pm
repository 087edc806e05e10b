package JSON::PP;
# JSON::PP for tests, by JSON::XS: the same functions and methods, thirty times as
# fast. Every test of the service reads openapi.json, which takes JSON::PP 0.4 s, and
# parses every response. scripts/test puts this folder first in @INC where JSON::XS is
# installed; by themselves tests run with the JSON::PP of Perl.
use v5.32;
use warnings;
use Exporter ();
use JSON::XS ();

our @ISA = qw(Exporter JSON::XS);
our @EXPORT = qw(encode_json decode_json);
our $VERSION = '4.07'; # of the JSON::PP whose interface this is

*encode_json = \&JSON::XS::encode_json;
*decode_json = \&JSON::XS::decode_json;
sub true () { $Types::Serialiser::true }
sub false () { $Types::Serialiser::false }
sub is_bool { JSON::XS::is_bool($_[-1]) }

1;
