import { spawn } from 'node:child_process'
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromeArguments, loadWebLibrary } from '#adapters/navegador/biblioteca.ts'
import { diagnoseLaunch } from '#adapters/navegador/diagnostico.ts'
import { findExecutable } from '#adapters/navegador/executavel.ts'
import { BrowserFailure, classifyOpenFailure } from '#adapters/navegador/falhas.ts'
import { parseChromePaths } from '#adapters/navegador/lugares.ts'
import { createNavegador } from '#adapters/navegador/navegador.ts'
import { createProfiles } from '#adapters/navegador/perfis.ts'
import { listProcesses, memoryOf, findProfileProcesses } from '#adapters/navegador/processos.ts'
import { createBrowserSlots } from '#adapters/navegador/vagas.ts'
import { isWhatsappLibraryRejection } from '#shutdown.ts'
import { waitUntil } from '#test/bot/house.ts'
import { createRecordingHost } from './hospede.ts'

const CHROME = process.env['CHROME_BIN'] ?? '/usr/bin/chromium'
const CONTA = '01930000-0000-7000-8000-000000000001'
const semProtecao = process.getuid?.() === 0
let dir: string

beforeAll(async () => {
  dir = await mkdtemp('/tmp/balcao-navegador-')
})
afterAll(() => rm(dir, { recursive: true, force: true }))

const motivo = async (abrir: Promise<unknown>): Promise<unknown> => {
  const erro: unknown = await abrir.catch((falha: unknown) => falha)
  return erro instanceof BrowserFailure ? erro.motivo : erro
}

describe('acharExecutavel', () => {
  it('accepts only a listed program that reports to be Chrome', async () => {
    const permitidos = [CHROME, '/bin/true', dir, join(dir, 'nada'), join(dir, 'papel')]
    await writeFile(join(dir, 'papel'), '#!/bin/sh\necho Chromium\n')
    expect(await findExecutable(CHROME, { allowedPaths: permitidos })).toBe(CHROME)
    expect(await findExecutable('', { allowedPaths: [CHROME] })).toBe(CHROME)
    expect(await motivo(findExecutable('/bin/true', { allowedPaths: [] }))).toBe('navegadorNaoPermitido')
    expect(await motivo(findExecutable('bin/chromium', { allowedPaths: permitidos }))).toBe('navegadorNaoPermitido')
    expect(await motivo(findExecutable(`${CHROME}/../sh`, { allowedPaths: permitidos }))).toBe('navegadorNaoPermitido')
    expect(await motivo(findExecutable(join(dir, 'nada'), { allowedPaths: permitidos }))).toBe('navegadorNaoEncontrado')
    expect(await motivo(findExecutable('/bin/true', { allowedPaths: permitidos }))).toBe('navegadorInutilizavel')
    expect(await motivo(findExecutable(dir, { allowedPaths: permitidos }))).toBe('navegadorInutilizavel')
    expect(await motivo(findExecutable(join(dir, 'papel'), { allowedPaths: permitidos }))).toBe('navegadorInutilizavel')
    await chmod(join(dir, 'papel'), 0o755)
    expect(await findExecutable(join(dir, 'papel'), { allowedPaths: permitidos })).toBe(join(dir, 'papel'))
    expect(await motivo(findExecutable('', { allowedPaths: [], platform: 'aix' }))).toBe('navegadorNaoEncontrado')
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
    const vagas = createBrowserSlots(1)
    const soltar = vagas.take()
    expect(vagas.take()).toBeNull()
    soltar?.()
    soltar?.()
    expect(vagas.take()).not.toBeNull()
    expect(vagas.take()).toBeNull()
    expect(createBrowserSlots().take()).not.toBeNull()
  })
})

describe('falhaDeAbertura', () => {
  const abrir = async (executavel: string, protegido: boolean) => {
    const { folder: perfil } = await createProfiles(dir).prepare(CONTA, { empty: true })
    const cliente = (await loadWebLibrary()).createClient({ executable: executavel, profile: perfil, withoutSandbox: !protegido })
    const erro: unknown = await cliente.initialize().catch((falha: unknown) => falha)
    await createProfiles(dir).prepare(CONTA, { empty: true })
    const porque = await diagnoseLaunch({ executable: executavel, profile: perfil, withoutSandbox: !protegido })
    await createProfiles(dir).remove(CONTA)
    return [classifyOpenFailure(erro), porque === null ? null : classifyOpenFailure(porque)]
  }

  it('distinguishes missing browser, unusable browser and network failure', async () => {
    expect((await abrir(join(dir, 'nada'), true))[0]).toEqual({ definitiva: true, motivo: 'navegadorNaoEncontrado' })
    expect(await abrir('/bin/true', true)).toEqual([
      { definitiva: false, motivo: 'navegadorCaiu' },
      { definitiva: true, motivo: 'navegadorInutilizavel' },
    ])
    expect(classifyOpenFailure('auth timeout')).toEqual({ definitiva: false, motivo: 'servicoInstavel' })
    expect(classifyOpenFailure(new Error('net::ERR_NAME_NOT_RESOLVED at https://web.whatsapp.com/'))).toEqual({
      definitiva: false,
      motivo: 'semRede',
    })
  })

  it.runIf(semProtecao)('recognises a Chrome started as root with its sandbox on', async () => {
    expect((await abrir(CHROME, true))[1]).toEqual({ definitiva: true, motivo: 'navegadorSemProtecao' })
  })

  it('attributes unhandled library errors to one connection', () => {
    expect(isWhatsappLibraryRejection('auth timeout')).toBe(true)
    const solta = new Error('Target closed')
    solta.stack = 'Error: Target closed\n    at f (/app/node_modules/puppeteer/lib/x.js:1:1)'
    expect(isWhatsappLibraryRejection(solta)).toBe(true)
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
      reconnectDelay: () => 60_000,
    })
    const conector = factory(hospede.host)
    await conector.start()
    const lugar = join(dir, 'de-verdade', hospede.host.contaId)
    await waitUntil(() => hospede.states.length === 2)
    expect(hospede.states.at(-1)).toEqual({ tipo: 'reconectando', motivo: 'semRede' })
    expect(await readdir(lugar)).toContain('Default')
    expect(await findProfileProcesses(lugar)).toEqual([])
    await conector.stop()
  })

  it('ends processes left by a crash and restricts the profile folder', async () => {
    const perfis = createProfiles(join(dir, 'perfis'))
    const lugar = perfis.folder(CONTA)
    const porta = ['--headless=new', '--remote-debugging-port=0', `--user-data-dir=${lugar}`, 'about:blank']
    const orfao = spawn(CHROME, [...chromeArguments({ withoutSandbox: semProtecao }), ...porta], {
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const acabou = new Promise((resolve) => orfao.once('exit', resolve))
    await new Promise<void>((resolve) =>
      orfao.stderr.on('data', (dito) => String(dito).includes('DevTools listening') && resolve()),
    )
    const vivos = await findProfileProcesses(lugar)
    expect(vivos.length).toBeGreaterThan(2)
    expect(await readdir(lugar)).toContain('SingletonLock')
    expect(await memoryOf(vivos)).toBeGreaterThan(20 * 2 ** 20)

    const { folder, endedProcesses } = await perfis.prepare(CONTA, { empty: false })
    expect(endedProcesses).toBeGreaterThanOrEqual(vivos.length)
    await acabou
    expect(await findProfileProcesses(folder)).toEqual([])
    const restam = new Set((await listProcesses()).map(({ pid }) => pid))
    expect(vivos.filter(({ pid }) => restam.has(pid))).toEqual([])
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect(await readdir(folder)).not.toContain('SingletonLock')
    expect(await perfis.list()).toEqual([CONTA])
    await perfis.remove(CONTA)
    expect(await perfis.list()).toEqual([])
    expect(() => perfis.folder('../outra')).toThrow('account')
  })
})
