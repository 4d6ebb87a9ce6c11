/** Makes deb and rpm of the unpacked app, offline: with the system's dpkg-deb and rpmbuild. */
import { chmodSync, copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Installer as Debian } from 'electron-installer-debian';
import { Installer as Redhat } from 'electron-installer-redhat';
import { root } from '../../lib/paths.mjs';

const files = (...parts) => join(root, 'tools', 'package', 'linux', 'files', ...parts);
const APP_ID = 'dev.muster.console';

/** Architectures as Node, dpkg and rpm name them. */
const ARCHITECTURES = { x64: { deb: 'amd64', rpm: 'x86_64' }, arm64: { deb: 'arm64', rpm: 'aarch64' } };

function put(from, to, mode = 0o644) {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
  chmodSync(to, mode);
}

/** What both kinds of package have beside the app. */
const withDesktopFiles = (Installer) =>
  class extends Installer {
    /** The desktop finds the window, its badge and `muster://` by the name of this file. */
    async createDesktopFile() {
      const share = (...parts) => join(this.stagingDir, this.baseAppDir, 'share', ...parts);
      put(files(`${APP_ID}.desktop`), share('applications', `${APP_ID}.desktop`));
      put(files(`${APP_ID}.metainfo.xml`), share('metainfo', `${APP_ID}.metainfo.xml`));
      put(files('apparmor'), share(this.options.name, 'apparmor'));
    }
  };

async function make(installer) {
  await installer.generateDefaults();
  await installer.generateOptions();
  await installer.generateScripts?.();
  await installer.createStagingDir();
  await installer.createContents();
  await installer.createPackage();
  await installer.movePackage();
  return installer.options.packagePaths[0];
}

/** What both are told. `version` stands for that of the packed app, so that an upgrade can be tested. */
const common = ({ source, out, version }) => ({
  src: source,
  dest: out,
  ...(version === undefined ? {} : { version }),
  bin: 'bin/muster',
  icon: join(root, 'resources', 'icon.png'),
  productDescription: readFileSync(files('description.txt'), 'utf8').trim(),
  logger: () => undefined,
});

/** Returns the path of the file. `fast`: compressed for a test, not for a download. */
export function makeDeb({ fast = false, ...given }) {
  const Installer = withDesktopFiles(Debian);
  const options = {
    ...common(given),
    arch: ARCHITECTURES[process.arch].deb,
    section: 'devel',
    maintainer: 'Muster <maintainers@muster.invalid>',
    compression: fast ? 'zstd' : 'xz',
    recommends: ['git'],
    scripts: { postinst: files('postinst'), postrm: files('postrm') },
    rename: (folder) => join(folder, '<%= name %>_<%= version %>_<%= arch %>.deb'),
  };
  return make(new Installer(options));
}

/** As `makeDeb`. */
export function makeRpm({ fast = false, ...given }) {
  const Installer = withDesktopFiles(Redhat);
  const options = {
    ...common(given),
    arch: ARCHITECTURES[process.arch].rpm,
    license: 'MIT',
    payload: fast ? 'w1.gzdio' : 'w6.xzdio',
    specTemplate: files('spec.ejs'),
    scripts: { post: files('postinst'), postun: files('postrm') },
    rename: (folder) => join(folder, '<%= name %>-<%= version %>-<%= revision %>.<%= arch %>.rpm'),
  };
  return make(new Installer(options));
}
