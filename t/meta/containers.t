# compose.yaml and the Kubernetes objects below apxs/container: what they run has no
# rights that it does not need, asks only for paths that the service has, and fits
# together with the image and with make-secrets. No orchestrator is tried.
use v5.32;
use warnings;
use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use FindBin;
use JSON::PP ();
use Test::More;

my $root = abs_path("$FindBin::Bin/../..");
my $where = "$root/apxs/container";
plan skip_all => 'no python3-yaml' if system q{python3 -c 'import yaml' 2>/dev/null};
my $json = JSON::PP->new->utf8;

sub yaml {
  my ($command) = @_;
  my $text = `$command | python3 -c 'import json, sys, yaml
print(json.dumps([one for one in yaml.safe_load_all(sys.stdin) if one]))'`;
  my $objects = eval { $json->decode($text) } // [];
  return @$objects;
}
sub text_of {
  open my $file, '<', $_[0] or return '';
  local $/;
  return <$file>;
}
my $image = text_of("$where/Containerfile");
my ($port) = $image =~ /^EXPOSE ([0-9]+)/m;
my $secrets = tempdir(CLEANUP => 1) . '/secrets';
is system("$where/make-secrets $secrets 2>/dev/null"), 0, 'make-secrets';
my %secret = map { s{.*/}{}r => 1 } glob "$secrets/service/*";
is_deeply [grep { (stat)[2] & 0077 } glob "$secrets/* $secrets/*/*"], [],
  'nobody but the owner may look at them';
isnt system("$where/make-secrets $secrets 2>/dev/null"), 0, '... nor are they replaced';

subtest 'compose.yaml' => sub {
  my ($compose) = yaml("cat $where/compose.yaml");
  my $services = $compose->{services};
  for my $name (qw(migrate service)) {
    my $one = $services->{$name};
    ok $one->{read_only}, "$name: its root is read-only";
    is_deeply $one->{cap_drop}, ['ALL'], '... it has no capability';
    is_deeply $one->{security_opt}, ['no-new-privileges:true'], '... and gets none';
    is $one->{image}, 'mod_verify', '... of our image';
    for (grep { m{\A\./} } @{$one->{volumes}}) {
      my ($path) = m{\A\./([^:]+)};
      ok $path =~ /\Asecrets\b/ || -e "$where/$path", "... $path is there";
    }
  }
  is_deeply $services->{migrate}{command}, [qw(verifyctl migrate)], 'the schema is a step before';
  is $services->{service}{depends_on}{migrate}{condition}, 'service_completed_successfully',
    '... that the service waits for';
  is_deeply $services->{service}{ports}, ["127.0.0.1:8080:$port"], 'its port is the image\'s';
  is_deeply [grep { $services->{$_}{image} =~ /:latest\z/ } keys %$services], [], 'no latest';
  ok -e "$where/$services->{migrate}{build}{context}/$services->{migrate}{build}{dockerfile}",
    'the image is built from the file';
  my @files = text_of("$where/compose.conf") =~ m{/run/verify-secrets/(\S+)}g;
  push @files, $services->{service}{environment}{VERIFY_DATABASE} =~ m{/run/verify-secrets/(\S+)};
  is_deeply [grep { !$secret{$_} } @files], [], 'the secrets that are named are made';
};

subtest 'kubernetes' => sub {
  my $rendered = grep { -x "$_/kubectl" } split /:/, $ENV{PATH};
  note 'not rendered: no kubectl in PATH' unless $rendered;
  my @objects = yaml($rendered ? "kubectl kustomize $where/kubernetes"
    : "(cat $where/kubernetes/verify.yaml; echo ---; cat $where/kubernetes/redis.yaml)");
  my %of = map { ("$_->{kind} $_->{metadata}{name}" => $_) } @objects;
  my $verify = $of{'Deployment verify'};
  ok $verify, 'the deployment' or return;
  is $verify->{spec}{replicas}, 2, 'two replicas';
  for my $one (grep { $_->{kind} eq 'Deployment' } @objects) {
    my $pod = $one->{spec}{template}{spec};
    my $name = $one->{metadata}{name};
    ok $pod->{securityContext}{runAsNonRoot} && $pod->{securityContext}{runAsUser},
      "$name: not root";
    is $pod->{securityContext}{seccompProfile}{type}, 'RuntimeDefault', '... with seccomp';
    ok !$pod->{automountServiceAccountToken}, '... without a token of the cluster';
    my %volumes = map { $_->{name} => 1 } @{$pod->{volumes}};
    for my $container (@{$pod->{initContainers} // []}, @{$pod->{containers}}) {
      my $rights = $container->{securityContext};
      ok $rights->{readOnlyRootFilesystem}, "$container->{name}: its root is read-only";
      is_deeply $rights->{capabilities}, {drop => ['ALL']}, '... it has no capability';
      is $rights->{allowPrivilegeEscalation} ? 1 : 0, 0, '... and gets none';
      is_deeply [grep { !$volumes{$_->{name}} } @{$container->{volumeMounts}}], [],
        '... its volumes are there';
    }
    is_deeply $one->{spec}{selector}{matchLabels}, $of{"Service $name"}{spec}{selector},
      '... its service finds it';
  }
  my $pod = $verify->{spec}{template}{spec};
  my ($container) = @{$pod->{containers}};
  like $pod->{initContainers}[0]{command}[-1], qr/exec verifyctl migrate\z/,
    'the schema is a step before';
  is $container->{ports}[0]{containerPort}, $port, 'the port is the image\'s';
  my $routes = text_of("$root/mod_verify/api/routes.def");
  for (qw(startupProbe livenessProbe readinessProbe)) {
    my $path = $container->{$_}{httpGet}{path};
    like $routes, qr/GET, "\Q$path\E", NONE/, "$_: $path is a path without a key";
  }
  my ($patience) = text_of("$where/httpd.conf") =~ /^GracefulShutdownTimeout ([0-9]+)/m;
  cmp_ok $pod->{terminationGracePeriodSeconds}, '>', $patience, 'it may end in order';
  my @files = map { m{/run/verify-secrets/(\S+)}g } text_of("$where/kubernetes/site.conf"),
    text_of("$where/kubernetes/kustomization.yaml");
  is_deeply [grep { !$secret{$_} } @files], [], 'the secrets that are named are made';
  like $of{'Deployment verify-redis'}{spec}{template}{spec}{containers}[0]{command}[-1],
    qr{/redis\.conf\z}, 'and that of Redis';
};
done_testing;
