// `npm run imagem:verificar`: checks the files of `deploy/` without a container engine. A step without its tool is
// skipped. Options: `--sem-imagem` leaves out the build of the image.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { checkImage } from './imagem-construir.mjs'
import { ROOT, say } from './toolchain.mjs'

const DEPLOY = join(ROOT, 'deploy')
/** Tenths of the exposure that `systemd-analyze security` may give. */
const EXPOSURE_LIMIT = '30'

const has = (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0

/** Rules for each service of a compose file: the sentence if it is broken. */
const SERVICE_RULES = {
  'o usuário deve ser 10001:10001': ({ user }) => user === '10001:10001',
  'falta read_only: true': (service) => service.read_only === true,
  'falta cap_drop: [ALL]': (service) => (service.cap_drop ?? []).includes('ALL'),
  'cap_add não é permitido': (service) => service.cap_add === undefined,
  'privileged não é permitido': (service) => service.privileged === undefined,
  'falta no-new-privileges': (service) => (service.security_opt ?? []).includes('no-new-privileges:true'),
  'falta um tmpfs em /tmp': ({ tmpfs }) => [tmpfs ?? []].flat().some((mount) => mount.split(':')[0] === '/tmp'),
  'falta o healthcheck': ({ healthcheck }) => Array.isArray(healthcheck?.test),
  'falta stop_grace_period': (service) => service.stop_grace_period !== undefined,
  'falta o volume de /var/lib/balcao': ({ volumes }) => (volumes ?? []).some(isDataVolume),
  'o build deve usar deploy/Containerfile': ({ build }) => build?.dockerfile === 'deploy/Containerfile',
}

const isDataVolume = (volume) => typeof volume === 'string' && volume.split(':')[1] === '/var/lib/balcao'

/** Broken rules of a compose file and of the volumes that it names, as sentences. The rules apply to our own image. */
function composeProblems({ services = {}, volumes = {} }) {
  const all = Object.entries(services)
  if (!all.some(([, { build }]) => build !== undefined)) return ['nenhum serviço constrói a imagem']
  return all.flatMap(([name, service]) => {
    const broken = Object.keys(service.build === undefined ? {} : SERVICE_RULES)
      .filter((rule) => !SERVICE_RULES[rule](service))
      .map((rule) => `${name}: ${rule}`)
    const named = (service.volumes ?? []).map((volume) => volume.split(':')[0]).filter((source) => /^\w/.test(source))
    return [
      ...broken,
      ...named.filter((source) => !(source in volumes)).map((source) => `${name}: ${source} não existe`),
    ]
  })
}

/** Broken rules of the file that adds Chromium to the services of the first one. */
function overrideProblems({ services = {} }, base) {
  return Object.entries(services).flatMap(([name, service]) => {
    if (base.services?.[name] === undefined) return [`${name}: serviço desconhecido`]
    const forbidden = ['user', 'read_only', 'cap_drop', 'cap_add', 'privileged'].filter((key) => key in service)
    return forbidden.map((key) => `${name}: ${key} não pode mudar`)
  })
}

function checkCompose() {
  const read = (file) => parse(readFileSync(join(DEPLOY, file), 'utf8'), { merge: true })
  const base = read('compose.yaml')
  return [
    ...composeProblems(base).map((problem) => `compose.yaml: ${problem}`),
    ...composeProblems(read('compose.nodes.yaml')).map((problem) => `compose.nodes.yaml: ${problem}`),
    ...overrideProblems(read('compose.navegador.yaml'), base).map((problem) => `compose.navegador.yaml: ${problem}`),
  ]
}

/** Copies the unit with this folder in place of /srv/balcao, because `verify` looks for the program. */
function givenUnit(folder, withBrowser) {
  const text = readFileSync(join(DEPLOY, 'balcao.service'), 'utf8')
  const unit = join(folder, 'balcao.service')
  writeFileSync(unit, text.replaceAll('/srv/balcao', ROOT))
  if (withBrowser) cpSync(join(DEPLOY, 'balcao.service.d'), `${unit}.d`, { recursive: true })
  return unit
}

/** Runs systemd-analyze on the unit. Any line of `verify` counts, because unknown settings give exit code 0. */
function analyze(withBrowser) {
  const folder = mkdtempSync(join(tmpdir(), 'balcao-unidade-'))
  try {
    const unit = givenUnit(folder, withBrowser)
    const verify = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' })
    const security = spawnSync(
      'systemd-analyze',
      ['security', '--offline=true', `--threshold=${EXPOSURE_LIMIT}`, '--no-pager', unit],
      { encoding: 'utf8' },
    )
    const [, exposure = 'desconhecida'] = /exposure level for \S+: ([\d.]+)/.exec(security.stdout) ?? []
    say(`${withBrowser ? 'balcao.service com navegador.conf' : 'balcao.service'}: exposição ${exposure}`)
    return [
      ...verify.stderr.split('\n').filter((line) => line.includes('balcao')),
      ...(verify.status === 0 ? [] : [`systemd-analyze verify terminou com ${verify.status}`]),
      ...(security.status === 0 ? [] : [`exposição acima de 3,0, ou não medida: ${security.stderr.trim()}`]),
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs HAProxy's own check of its file. Names of nodes that do not resolve here are only warnings. */
function checkProxy() {
  const { status, stderr } = spawnSync('haproxy', ['-c', '-f', join(DEPLOY, 'haproxy.cfg')], { encoding: 'utf8' })
  return status === 0 ? [] : stderr.split('\n').filter((line) => line.includes('[ALERT]'))
}

const STEPS = [
  { name: 'arquivos do compose', tools: [], run: checkCompose },
  { name: 'proxy', tools: ['haproxy'], run: checkProxy },
  { name: 'unidade do systemd', tools: ['systemd-analyze'], run: () => [...analyze(false), ...analyze(true)] },
  { name: 'imagem', tools: ['buildah', 'mmdebstrap', 'unshare', 'chroot'], run: checkImage, image: true },
]

/** Runs a step and returns its end: `ok`, `falhou` or `pulado`. */
async function runStep({ name, tools, run, image }, withoutImage) {
  const missing = tools.filter((tool) => !has(tool))
  const reason =
    image && withoutImage
      ? '--sem-imagem'
      : image && process.getuid?.() !== 0
        ? 'só o root constrói sem um serviço de contêineres'
        : missing.length > 0
          ? `falta ${missing.join(', ')}`
          : null
  if (reason !== null) {
    say(`${name}: pulado (${reason})`)
    return 'pulado'
  }
  const problems = await run()
  for (const problem of problems) say(`${name}: ${problem}`)
  say(`${name}: ${problems.length === 0 ? 'ok' : 'FALHOU'}`)
  return problems.length === 0 ? 'ok' : 'falhou'
}

/** Runs the steps and returns the exit code: 1 after a failure. */
export async function imagem(args) {
  const ends = []
  for (const step of STEPS) ends.push(await runStep(step, args.includes('--sem-imagem')))
  const count = (end) => ends.filter((one) => one === end).length
  say(`${ends.length - count('pulado')} de ${ends.length} conferências feitas, ${count('falhou')} com falha`)
  return count('falhou') === 0 ? 0 : 1
}
