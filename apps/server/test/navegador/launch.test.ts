import { spawn } from 'node:child_process'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { chromeArguments, loadWebLibrary } from '#adapters/navegador/browser/library.ts'
import { createBrowserSlots, diagnoseLaunch } from '#adapters/navegador/browser/launch.ts'
import { findExecutable, parseChromePaths } from '#adapters/navegador/browser/executable.ts'
import { BrowserFailure, classifyOpenFailure } from '#adapters/navegador/failures.ts'
import { createNavegador } from '#adapters/navegador/navegador.ts'
import { createProfiles } from '#adapters/navegador/browser/profiles.ts'
import { listProcesses, memoryOf, findProfileProcesses } from '#adapters/navegador/browser/processes.ts'
import { isWhatsappLibraryRejection } from '#shutdown.ts'
import { createRecordingHost } from './recording-host.ts'
import { waitUntil } from '#test/app.ts'

const CHROME = process.env['CHROME_BIN'] ?? '/usr/bin/chromium'
const CONTA = '01930000-0000-7000-8000-000000000001'
const unprotected = process.getuid?.() === 0
let dir: string

beforeAll(async () => {
  dir = await mkdtemp('/tmp/balcao-navegador-')
})
afterAll(() => rm(dir, { recursive: true, force: true }))

const motivo = async (open: Promise<unknown>): Promise<unknown> => {
  const error: unknown = await open.catch((failure: unknown) => failure)
  return error instanceof BrowserFailure ? error.motivo : error
}

describe('findExecutable', () => {
  it('accepts only a listed program that reports to be Chrome', async () => {
    const allowed = [CHROME, '/bin/true', dir, join(dir, 'nada'), join(dir, 'papel')]
    await writeFile(join(dir, 'papel'), '#!/bin/sh\necho Chromium\n')
    expect(await findExecutable(CHROME, { home: dir, allowedPaths: allowed })).toBe(CHROME)
    expect(await findExecutable('', { home: dir, allowedPaths: [CHROME] })).toBe(CHROME)
    expect(await motivo(findExecutable('/bin/true', { home: dir, allowedPaths: [] }))).toBe('navegadorNaoPermitido')
    expect(await motivo(findExecutable('bin/chromium', { home: dir, allowedPaths: allowed }))).toBe(
      'navegadorNaoPermitido',
    )
    expect(await motivo(findExecutable(`${CHROME}/../sh`, { home: dir, allowedPaths: allowed }))).toBe(
      'navegadorNaoPermitido',
    )
    expect(await motivo(findExecutable(join(dir, 'nada'), { home: dir, allowedPaths: allowed }))).toBe(
      'navegadorNaoEncontrado',
    )
    expect(await motivo(findExecutable('/bin/true', { home: dir, allowedPaths: allowed }))).toBe(
      'navegadorInutilizavel',
    )
    expect(await motivo(findExecutable(dir, { home: dir, allowedPaths: allowed }))).toBe('navegadorInutilizavel')
    expect(await motivo(findExecutable(join(dir, 'papel'), { home: dir, allowedPaths: allowed }))).toBe(
      'navegadorInutilizavel',
    )
    await chmod(join(dir, 'papel'), 0o755)
    expect(await findExecutable(join(dir, 'papel'), { home: dir, allowedPaths: allowed })).toBe(join(dir, 'papel'))
    expect(await motivo(findExecutable('', { home: dir, allowedPaths: [], platform: 'aix' }))).toBe(
      'navegadorNaoEncontrado',
    )
  })

  it('parses CHROME_PATHS with any separator', () => {
    expect(parseChromePaths('/a/chrome:/b/chrome; C:\\x\\chrome.exe,')).toEqual([
      '/a/chrome',
      '/b/chrome',
      'C:\\x\\chrome.exe',
    ])
    expect(parseChromePaths(undefined)).toEqual([])
  })

  it('limits the number of browsers by memory', () => {
    const slots = createBrowserSlots(1)
    const release = slots.take()
    expect(slots.take()).toBeNull()
    release?.()
    release?.()
    expect(slots.take()).not.toBeNull()
    expect(slots.take()).toBeNull()
    expect(createBrowserSlots().take()).not.toBeNull()
  })
})

describe('classifyOpenFailure', () => {
  const open = async (executavel: string, protegido: boolean) => {
    const { folder: perfil } = await createProfiles(dir).prepare(CONTA, { empty: true })
    const cliente = (await loadWebLibrary()).createClient({
      executable: executavel,
      profile: perfil,
      withoutSandbox: !protegido,
    })
    const error: unknown = await cliente.initialize().catch((failure: unknown) => failure)
    await createProfiles(dir).prepare(CONTA, { empty: true })
    const porque = await diagnoseLaunch({ executable: executavel, profile: perfil, withoutSandbox: !protegido })
    await createProfiles(dir).remove(CONTA)
    return [classifyOpenFailure(error), porque === null ? null : classifyOpenFailure(porque)]
  }

  it('distinguishes missing browser, unusable browser and network failure', async () => {
    expect((await open(join(dir, 'nada'), true))[0]).toEqual({ permanent: true, motivo: 'navegadorNaoEncontrado' })
    expect(await open('/bin/true', true)).toEqual([
      { permanent: false, motivo: 'navegadorCaiu' },
      { permanent: true, motivo: 'navegadorInutilizavel' },
    ])
    expect(classifyOpenFailure('auth timeout')).toEqual({ permanent: false, motivo: 'servicoInstavel' })
    expect(classifyOpenFailure(new Error('net::ERR_NAME_NOT_RESOLVED at https://web.whatsapp.com/'))).toEqual({
      permanent: false,
      motivo: 'semRede',
    })
  })

  it.runIf(unprotected)('recognises a Chrome started as root with its sandbox on', async () => {
    expect((await open(CHROME, true))[1]).toEqual({ permanent: true, motivo: 'navegadorSemProtecao' })
  })

  it('attributes unhandled library errors to one connection', () => {
    expect(isWhatsappLibraryRejection('auth timeout')).toBe(true)
    const loose = new Error('Target closed')
    loose.stack = 'Error: Target closed\n    at f (/app/node_modules/puppeteer/lib/x.js:1:1)'
    expect(isWhatsappLibraryRejection(loose)).toBe(true)
  })
})

describe('environment of the browser', () => {
  /** A program that passes for Chrome and writes its environment next to it. */
  async function givenChrome(name: string): Promise<{ path: string; written: () => Promise<string[]> }> {
    const path = join(dir, name)
    await writeFile(path, `#!/bin/sh\nenv >> ${path}.env\necho Chromium\n`, { mode: 0o755 })
    const written = async (): Promise<string[]> => {
      const lines = (await readFile(`${path}.env`, 'utf8')).trim().split('\n')
      await rm(`${path}.env`)
      return [...new Set(lines.map((line) => line.split('=', 1)[0] ?? ''))].toSorted()
    }
    return { path, written }
  }
  // The shell adds the last three.
  const ALLOWED = new Set(['HOME', 'LANG', 'PATH', 'TZ', 'PWD', 'SHLVL', '_'])
  const foreign = (names: readonly string[]): string[] => names.filter((name) => !ALLOWED.has(name))

  it('gives no variable of the server to any of the three runs', async () => {
    vi.stubEnv('APP_SECRET', 'a-secret-of-the-server')
    const chrome = await givenChrome('chrome-ambiente')
    const { folder: profile } = await createProfiles(dir).prepare(CONTA, { empty: true })
    const launch = { executable: chrome.path, profile, withoutSandbox: true }

    await findExecutable(chrome.path, { home: profile, allowedPaths: [chrome.path] })
    expect(foreign(await chrome.written())).toEqual([])
    await (
      await loadWebLibrary()
    )
      .createClient(launch)
      .initialize()
      .catch(() => undefined)
    expect(foreign(await chrome.written())).toEqual([])
    await diagnoseLaunch(launch)
    const names = await chrome.written()
    expect(foreign(names)).toEqual([])
    expect(names).toEqual(expect.arrayContaining(['HOME', 'PATH']))
    vi.unstubAllEnvs()
    await createProfiles(dir).remove(CONTA)
  })

  it.runIf(unprotected)('refuses to open as root, after the check of the path', async () => {
    const chrome = await givenChrome('chrome-root')
    for (const [chromePath, reason] of [
      ['/bin/true', 'navegadorNaoPermitido'],
      [chrome.path, 'navegadorSemProtecao'],
    ] as const) {
      const host = createRecordingHost({ chromePath })
      const { factory } = createNavegador({
        dir: join(dir, 'como-root'),
        log: pino({ level: 'silent' }),
        allowedPaths: [chrome.path],
      })
      const connection = factory(host.host)
      await connection.start()
      await waitUntil(() => host.states.length === 2)
      expect(host.states.at(-1)).toMatchObject({ status: 'ERRO', motivo: reason })
      await connection.stop()
    }
  })
})

describe('browser processes', () => {
  it('ends all processes and reports semRede without a network', async () => {
    const semRede = join(dir, 'chromium-sem-rede')
    await writeFile(semRede, `#!/bin/sh\nexec ${CHROME} --host-resolver-rules='MAP * ~NOTFOUND' "$@"\n`, {
      mode: 0o755,
    })
    const hospede = createRecordingHost({ chromePath: semRede })
    const { factory } = createNavegador({
      dir: join(dir, 'de-verdade'),
      log: pino({ level: 'silent' }),
      allowedPaths: [semRede],
      runAsRoot: true,
      reconnectDelay: () => 60_000,
    })
    const conector = factory(hospede.host)
    await conector.start()
    const place = join(dir, 'de-verdade', hospede.host.contaId)
    await waitUntil(() => hospede.states.length === 2)
    expect(hospede.states.at(-1)).toEqual({ tipo: 'reconectando', motivo: 'semRede' })
    expect(await readdir(place)).toContain('Default')
    expect(await findProfileProcesses(place)).toEqual([])
    await conector.stop()
  })

  it('ends processes left by a crash and restricts the profile folder', async () => {
    const profiles = createProfiles(join(dir, 'perfis'))
    const place = profiles.folder(CONTA)
    const port = ['--headless=new', '--remote-debugging-port=0', `--user-data-dir=${place}`, 'about:blank']
    const orfao = spawn(CHROME, [...chromeArguments({ withoutSandbox: unprotected }), ...port], {
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const acabou = new Promise((resolve) => orfao.once('exit', resolve))
    await new Promise<void>((resolve) =>
      orfao.stderr.on('data', (said) => String(said).includes('DevTools listening') && resolve()),
    )
    const alive = await findProfileProcesses(place)
    expect(alive.length).toBeGreaterThan(2)
    expect(await readdir(place)).toContain('SingletonLock')
    expect(await memoryOf(alive)).toBeGreaterThan(20 * 2 ** 20)

    const { folder, endedProcesses } = await profiles.prepare(CONTA, { empty: false })
    expect(endedProcesses).toBeGreaterThanOrEqual(alive.length)
    await acabou
    expect(await findProfileProcesses(folder)).toEqual([])
    const left = new Set((await listProcesses()).map(({ pid }) => pid))
    expect(alive.filter(({ pid }) => left.has(pid))).toEqual([])
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect(await readdir(folder)).not.toContain('SingletonLock')
    expect(await profiles.list()).toEqual([CONTA])
    await profiles.remove(CONTA)
    expect(await profiles.list()).toEqual([])
    expect(() => profiles.folder('../outra')).toThrow('line id')
  })
})
