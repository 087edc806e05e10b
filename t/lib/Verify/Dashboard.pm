package Verify::Dashboard;
# A dashboard behind a Basic login of httpd, and clients with such logins:
#
#   my $service = Verify::Instance->start(start => 0);
#   my $dashboard = Verify::Dashboard->prepare($service,
#     anna => "reviewer $organization", chief => 'admin *', guest => undef);
#   $service->start_httpd;
#   $dashboard->client('anna')->get('/dashboard/v1/me');
#
# Each user's password is derived from the name; undef is a login without a
# role, an array has several roles. `conf` of the instance is extended.
use v5.32;
use warnings;
use MIME::Base64 qw(encode_base64);

sub prepare {
  my ($class, $service, %roles) = @_;
  my $self = bless {service => $service}, $class;
  my $file = "$service->{directory}/passwords";
  open my $passwords, '>', $file or die "$file: $!\n";
  for my $user (sort keys %roles) {
    my $password = $self->password($user);
    chomp(my $hash = `openssl passwd -apr1 '$password'`);
    print $passwords "$user:$hash\n";
  }
  close $passwords or die "$file: $!\n";
  chmod 0644, $file;
  $service->{conf} .= join '',
    (map { "LoadModule ${_}_module \${VERIFY_MODULES}/mod_$_.so\n" }
      qw(auth_basic authn_file authz_user)),
    (map { my $user = $_;
      map { "VerifyOperator $_ user $user\n" } grep { defined }
        ref $roles{$user} ? @{$roles{$user}} : $roles{$user} } sort keys %roles), <<"CONF";
<Location "/dashboard">
    AuthType Basic
    AuthName dashboard
    AuthBasicProvider file
    AuthUserFile "$file"
    Require valid-user
</Location>
CONF
  return $self;
}

sub password { "pass-$_[1]" }

# The Authorization header of USER.
sub login {
  my ($self, $user) = @_;
  return 'Basic ' . encode_base64("$user:" . $self->password($user), '');
}

# A client that sends requests like a page of the dashboard, as USER.
sub client {
  my ($self, $user) = @_;
  return $self->{service}->client(undef, headers => {'Sec-Fetch-Site' => 'same-origin',
    Authorization => $self->login($user)});
}

1;
