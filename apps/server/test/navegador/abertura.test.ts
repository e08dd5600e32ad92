import { spawn } from 'node:child_process'
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { argumentos, carregarBiblioteca } from '#adapters/navegador/biblioteca.ts'
import { diagnosticar } from '#adapters/navegador/diagnostico.ts'
import { acharExecutavel } from '#adapters/navegador/executavel.ts'
import { FalhaDoNavegador, falhaDeAbertura } from '#adapters/navegador/falhas.ts'
import { lerChromePaths } from '#adapters/navegador/lugares.ts'
import { createNavegador } from '#adapters/navegador/navegador.ts'
import { createPerfis } from '#adapters/navegador/perfis.ts'
import { listProcessos, memoriaDe, processosDoPerfil } from '#adapters/navegador/processos.ts'
import { createVagas } from '#adapters/navegador/vagas.ts'
import { isOfOneLine } from '#shutdown.ts'
import { ate } from '#test/bot/house.ts'
import { createHospede } from './hospede.ts'

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
  return erro instanceof FalhaDoNavegador ? erro.motivo : erro
}

describe('acharExecutavel', () => {
  it('accepts only a listed program that reports to be Chrome', async () => {
    const permitidos = [CHROME, '/bin/true', dir, join(dir, 'nada'), join(dir, 'papel')]
    await writeFile(join(dir, 'papel'), '#!/bin/sh\necho Chromium\n')
    expect(await acharExecutavel(CHROME, { permitidos })).toBe(CHROME)
    expect(await acharExecutavel('', { permitidos: [CHROME] })).toBe(CHROME)
    expect(await motivo(acharExecutavel('/bin/true', { permitidos: [] }))).toBe('navegadorNaoPermitido')
    expect(await motivo(acharExecutavel('bin/chromium', { permitidos }))).toBe('navegadorNaoPermitido')
    expect(await motivo(acharExecutavel(`${CHROME}/../sh`, { permitidos }))).toBe('navegadorNaoPermitido')
    expect(await motivo(acharExecutavel(join(dir, 'nada'), { permitidos }))).toBe('navegadorNaoEncontrado')
    expect(await motivo(acharExecutavel('/bin/true', { permitidos }))).toBe('navegadorInutilizavel')
    expect(await motivo(acharExecutavel(dir, { permitidos }))).toBe('navegadorInutilizavel')
    expect(await motivo(acharExecutavel(join(dir, 'papel'), { permitidos }))).toBe('navegadorInutilizavel')
    await chmod(join(dir, 'papel'), 0o755)
    expect(await acharExecutavel(join(dir, 'papel'), { permitidos })).toBe(join(dir, 'papel'))
    expect(await motivo(acharExecutavel('', { permitidos: [], plataforma: 'aix' }))).toBe('navegadorNaoEncontrado')
  })

  it('parses CHROME_PATHS with any separator', () => {
    expect(lerChromePaths('/a/chrome:/b/chrome; C:\\x\\chrome.exe,')).toEqual([
      '/a/chrome',
      '/b/chrome',
      'C:\\x\\chrome.exe',
    ])
    expect(lerChromePaths(undefined)).toEqual([])
  })

  it('limits the number of browsers by memory', () => {
    const vagas = createVagas(1)
    const soltar = vagas.tomar()
    expect(vagas.tomar()).toBeNull()
    soltar?.()
    soltar?.()
    expect(vagas.tomar()).not.toBeNull()
    expect(vagas.tomar()).toBeNull()
    expect(createVagas().tomar()).not.toBeNull()
  })
})

describe('falhaDeAbertura', () => {
  const abrir = async (executavel: string, protegido: boolean) => {
    const { pasta: perfil } = await createPerfis(dir).preparar(CONTA, { vazia: true })
    const cliente = (await carregarBiblioteca()).criar({ executavel, perfil, semProtecao: !protegido })
    const erro: unknown = await cliente.initialize().catch((falha: unknown) => falha)
    await createPerfis(dir).preparar(CONTA, { vazia: true })
    const porque = await diagnosticar({ executavel, perfil, semProtecao: !protegido })
    await createPerfis(dir).apagar(CONTA)
    return [falhaDeAbertura(erro), porque === null ? null : falhaDeAbertura(porque)]
  }

  it('distinguishes missing browser, unusable browser and network failure', async () => {
    expect((await abrir(join(dir, 'nada'), true))[0]).toEqual({ definitiva: true, motivo: 'navegadorNaoEncontrado' })
    expect(await abrir('/bin/true', true)).toEqual([
      { definitiva: false, motivo: 'navegadorCaiu' },
      { definitiva: true, motivo: 'navegadorInutilizavel' },
    ])
    expect(falhaDeAbertura('auth timeout')).toEqual({ definitiva: false, motivo: 'servicoInstavel' })
    expect(falhaDeAbertura(new Error('net::ERR_NAME_NOT_RESOLVED at https://web.whatsapp.com/'))).toEqual({
      definitiva: false,
      motivo: 'semRede',
    })
  })

  it.runIf(semProtecao)('recognises a Chrome started as root with its sandbox on', async () => {
    expect((await abrir(CHROME, true))[1]).toEqual({ definitiva: true, motivo: 'navegadorSemProtecao' })
  })

  it('attributes unhandled library errors to one connection', () => {
    expect(isOfOneLine('auth timeout')).toBe(true)
    const solta = new Error('Target closed')
    solta.stack = 'Error: Target closed\n    at f (/app/node_modules/puppeteer/lib/x.js:1:1)'
    expect(isOfOneLine(solta)).toBe(true)
  })
})

describe('browser processes', () => {
  it('ends all processes and reports semRede without a network', async () => {
    const semRede = join(dir, 'chromium-sem-rede')
    await writeFile(semRede, `#!/bin/sh\nexec ${CHROME} --host-resolver-rules='MAP * ~NOTFOUND' "$@"\n`, {
      mode: 0o755,
    })
    const hospede = createHospede({ chromePath: semRede })
    const { factory } = createNavegador({
      dir: join(dir, 'de-verdade'),
      log: pino({ level: 'silent' }),
      permitidos: [semRede],
      esperas: () => 60_000,
    })
    const conector = factory(hospede.host)
    await conector.start()
    const lugar = join(dir, 'de-verdade', hospede.host.contaId)
    await ate(() => hospede.estados.length === 2)
    expect(hospede.estados.at(-1)).toEqual({ tipo: 'reconectando', motivo: 'semRede' })
    expect(await readdir(lugar)).toContain('Default')
    expect(await processosDoPerfil(lugar)).toEqual([])
    await conector.stop()
  })

  it('ends processes left by a crash and restricts the profile folder', async () => {
    const perfis = createPerfis(join(dir, 'perfis'))
    const lugar = perfis.pasta(CONTA)
    const porta = ['--headless=new', '--remote-debugging-port=0', `--user-data-dir=${lugar}`, 'about:blank']
    const orfao = spawn(CHROME, [...argumentos({ semProtecao }), ...porta], {
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const acabou = new Promise((resolve) => orfao.once('exit', resolve))
    await new Promise<void>((resolve) =>
      orfao.stderr.on('data', (dito) => String(dito).includes('DevTools listening') && resolve()),
    )
    const vivos = await processosDoPerfil(lugar)
    expect(vivos.length).toBeGreaterThan(2)
    expect(await readdir(lugar)).toContain('SingletonLock')
    expect(await memoriaDe(vivos)).toBeGreaterThan(20 * 2 ** 20)

    const { pasta, encerrados } = await perfis.preparar(CONTA, { vazia: false })
    expect(encerrados).toBeGreaterThanOrEqual(vivos.length)
    await acabou
    expect(await processosDoPerfil(pasta)).toEqual([])
    const restam = new Set((await listProcessos()).map(({ pid }) => pid))
    expect(vivos.filter(({ pid }) => restam.has(pid))).toEqual([])
    expect((await stat(pasta)).mode & 0o777).toBe(0o700)
    expect(await readdir(pasta)).not.toContain('SingletonLock')
    expect(await perfis.listar()).toEqual([CONTA])
    await perfis.apagar(CONTA)
    expect(await perfis.listar()).toEqual([])
    expect(() => perfis.pasta('../outra')).toThrow('account')
  })
})
