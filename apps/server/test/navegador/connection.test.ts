import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Pacer } from '@balcao/connector/pacer'
import { createIds } from '#ids.ts'
import type { NavegadorOptions } from '#adapters/navegador/navegador.ts'
import { SendRefused } from '@balcao/connector/errors'
import type { Connector, OutboundMessage } from '@balcao/connector/port'
import {
  TEST_CONTA_ID,
  createNavegadorOver,
  createRecordingHost,
  type RecordingHost,
  type RecordingHostOptions,
} from './recording-host.ts'
import { FakePage } from './fake-page.ts'
import { waitUntil } from '#test/app.ts'

const ANA = '5511910000001@c.us'
const ids = createIds({ now: () => new Date() })
const mensagem = (texto: string, mais: Partial<OutboundMessage> = {}): OutboundMessage => ({
  idExterno: ids.uuid(),
  endereco: '5511910000001@s.whatsapp.net',
  texto,
  ...mais,
})

let dir: string
let page: FakePage
let abertos: Connector[]
beforeAll(async () => {
  dir = await mkdtemp('/tmp/balcao-sessao-')
})
afterAll(() => rm(dir, { recursive: true, force: true }))
beforeEach(() => {
  page = new FakePage()
  abertos = []
})
afterEach(() => Promise.all(abertos.map((conector) => conector.stop())))

const abrir = async (
  opcoes: RecordingHostOptions & { navegador?: Partial<NavegadorOptions> } = {},
): Promise<{ hospede: RecordingHost; conector: Connector }> => {
  const hospede = createRecordingHost(opcoes)
  const conector = createNavegadorOver(page, { dir, ...opcoes.navegador }).factory(hospede.host)
  abertos.push(conector)
  await conector.start()
  return { hospede, conector }
}
const types = ({ states }: RecordingHost): string[] => states.map(({ tipo }) => tipo)
const ficou = (hospede: RecordingHost, tipo: string): Promise<unknown> =>
  waitUntil(async () => hospede.states.at(-1)?.tipo === tipo)
const connect = async (opcoes: Parameters<typeof abrir>[0] = {}) => {
  const aberto = await abrir(opcoes)
  await ficou(aberto.hospede, 'pareando')
  page.scan()
  await ficou(aberto.hospede, 'conectado')
  return aberto
}
const recebeu = (hospede: RecordingHost, n: number): Promise<unknown> =>
  waitUntil(async () => hospede.received.length >= n)

describe('session link', () => {
  it('rotates codes until a scan and saves the link before reporting it', async () => {
    const { hospede, conector } = await abrir()
    await ficou(hospede, 'pareando')
    page.client.emit('qr', 'outro')
    await waitUntil(async () => hospede.states.length === 3)
    const [first, second] = hospede.states.flatMap((estado) => (estado.tipo === 'pareando' ? [estado] : []))
    expect(second).toMatchObject({ qrCode: 'outro' })
    expect(first?.expiraEm.getTime()).toBeGreaterThan(second?.expiraEm.getTime() ?? 0)
    expect(await conector.pairingCode?.('5511990000001')).toMatchObject({ codigo: 'COD00001' })
    await expect(conector.pairingCode?.('55')).rejects.toBeInstanceOf(SendRefused)
    expect(hospede.credentials()).toBeNull()
    page.scan()
    await ficou(hospede, 'conectado')
    expect(hospede.credentials()).toMatchObject({ criadoEm: expect.any(Number) })
    expect(hospede.states.at(-1)).toMatchObject({ tipo: 'conectado', como: 'Loja' })
    expect(types(hospede)).toEqual(['conectando', 'pareando', 'pareando', 'conectando', 'conectado'])
    expect(await conector.pairingCode?.('5511990000001')).toBeNull()
    expect(conector.silenceMs()).toBeGreaterThanOrEqual(0)
  })

  it('saves the link again after the store failed', async () => {
    const { hospede } = await abrir()
    await ficou(hospede, 'pareando')
    let falhas = 2
    hospede.beforeSave = () => {
      if (falhas-- > 0) throw new Error('no database')
    }
    page.scan()
    await ficou(hospede, 'conectado')
    expect(hospede.credentials()).toMatchObject({ criadoEm: expect.any(Number) })
  })

  it('ends after the last code expired without a scan', async () => {
    const { hospede } = await abrir()
    await ficou(hospede, 'pareando')
    for (let n = 0; n < 6; n += 1) page.client.emit('qr', `mais-${n}`)
    await ficou(hospede, 'encerrado')
    expect(hospede.states.at(-1)).toEqual({ tipo: 'encerrado', status: 'PARADO', motivo: 'qrExpirado' })
    expect(page.client.alive).toBe(false)
  })

  it.each([
    ['LOGOUT', { status: 'PARADO', motivo: 'desconectadoNoCelular' }],
    ['TOS_BLOCK', { status: 'ERRO', motivo: 'banido' }],
    ['DEPRECATED_VERSION', { status: 'ERRO', motivo: 'clienteDesatualizado' }],
  ])('ends the session on %s', async (razao, fim) => {
    const { hospede } = await connect()
    page.client.emit('disconnected', razao)
    await ficou(hospede, 'encerrado')
    expect(hospede.states.at(-1)).toMatchObject(fim)
    expect(existsSync(join(dir, TEST_CONTA_ID))).toBe(razao === 'DEPRECATED_VERSION')
  })

  it('reports the end when the profile folder cannot be deleted', async () => {
    const place = await mkdtemp('/tmp/balcao-sessao-')
    const { hospede } = await connect({ navegador: { dir: join(place, 'perfis') } })
    await rename(join(place, 'perfis'), join(place, 'outros'))
    await writeFile(join(place, 'perfis'), 'not a folder')
    page.client.emit('disconnected', 'LOGOUT')
    await ficou(hospede, 'encerrado')
    await rm(place, { recursive: true })
  })

  it('reconnects after the first conflict and stops after the second', async () => {
    const { hospede } = await connect()
    page.client.emit('disconnected', 'CONFLICT')
    await waitUntil(async () => types(hospede).filter((tipo) => tipo === 'conectado').length === 2)
    expect(hospede.states).toContainEqual({ tipo: 'reconectando', motivo: 'substituido' })
    page.client.emit('disconnected', 'CONFLICT')
    await ficou(hospede, 'encerrado')
    expect(hospede.states.at(-1)).toMatchObject({ motivo: 'substituido' })
  })

  it('reports rejected credentials', async () => {
    const { hospede } = await abrir()
    await ficou(hospede, 'pareando')
    page.client.emit('auth_failure', 'no')
    await ficou(hospede, 'encerrado')
    expect(hospede.states.at(-1)).toMatchObject({ status: 'erro_auth', motivo: 'credenciaisInvalidas' })
  })

  it('sends nothing while the page has no network', async () => {
    const { hospede, conector } = await connect()
    page.client.emit('change_state', 'TIMEOUT')
    await ficou(hospede, 'reconectando')
    expect(conector.silenceMs()).toBeNull()
    await expect(conector.send(mensagem('oi'))).rejects.toThrow('sem conexão')
    page.client.emit('change_state', 'CONNECTED')
    await ficou(hospede, 'conectado')
    await conector.send(mensagem('oi'))
    expect(page.clients).toHaveLength(1)
  })
})

describe('session browser', () => {
  it.each([
    ['/bin/sh', 'navegadorNaoPermitido'],
    [join('/tmp', 'nenhum-chrome'), 'navegadorNaoEncontrado'],
    ['/bin/true', 'navegadorInutilizavel'],
  ])('refuses the program %s and reports the reason', async (chromePath, motivo) => {
    const allowed = ['/bin/true', '/tmp/nenhum-chrome']
    const { hospede } = await abrir({ chromePath, navegador: { allowedPaths: allowed } })
    await ficou(hospede, 'encerrado')
    expect(hospede.states.at(-1)).toEqual({ tipo: 'encerrado', status: 'ERRO', motivo })
    expect(page.clients).toHaveLength(0)
  })

  it('retries without a network and stops without memory', async () => {
    page.failures.open.push(new Error('net::ERR_NAME_NOT_RESOLVED at https://web.whatsapp.com/'), 'auth timeout')
    const { hospede } = await abrir()
    await ficou(hospede, 'pareando')
    expect(hospede.states.flatMap((estado) => (estado.tipo === 'reconectando' ? [estado.motivo] : []))).toEqual([
      'semRede',
      'servicoInstavel',
    ])
    const other = await abrir({ navegador: { maxBrowsers: 0 } })
    await ficou(other.hospede, 'encerrado')
    expect(other.hospede.states.at(-1)).toMatchObject({ status: 'ERRO', motivo: 'navegadorSemMemoria' })
  })

  const motivos = ({ states }: RecordingHost): unknown[] =>
    states.flatMap((estado) => (estado.tipo === 'reconectando' ? [estado.motivo] : []))
  const conectou = (hospede: RecordingHost, times: number) =>
    waitUntil(() => types(hospede).filter((tipo) => tipo === 'conectado').length === times)

  it('reopens a browser that died or hangs', async () => {
    const { hospede } = await connect({ navegador: { healthCheckMs: 5 } })
    page.client.die()
    await conectou(hospede, 2)
    page.client.state = 'TIMEOUT'
    await conectou(hospede, 3)
    expect(motivos(hospede)).toEqual(['navegadorCaiu', 'navegadorCaiu'])
    expect(page.clients.filter(({ alive }) => alive)).toHaveLength(1)
  })

  it.runIf(process.platform === 'linux')('reopens a browser over the memory limit and ends its processes', async () => {
    const { hospede } = await connect({ navegador: { healthCheckMs: 5, maxMemoryBytes: 1 } })
    // Stands in for the browser process, which the fake page does not have.
    const guloso = spawn(process.execPath, [
      '-e',
      'setInterval(() => {}, 1e6)',
      '--',
      `--user-data-dir=${dir}/${TEST_CONTA_ID}`,
    ])
    await new Promise((resolve) => guloso.once('exit', resolve))
    await conectou(hospede, 2)
    expect(guloso.signalCode).toBe('SIGKILL')
    expect(motivos(hospede)).toContain('navegadorCaiu')
  })

  it('opens one browser per account and waits for the previous session', async () => {
    const { factory, forget } = createNavegadorOver(page, { dir })
    const hospede = createRecordingHost()
    const first = factory(hospede.host)
    await first.start()
    await ficou(hospede, 'pareando')
    page.scan()
    await ficou(hospede, 'conectado')
    const { promise: loose, resolve: release } = Promise.withResolvers<void>()
    page.client.destroy = () => loose
    const parando = first.stop()

    const after = createRecordingHost({ credentials: hospede.credentials() })
    const second = factory(after.host)
    abertos.push(second)
    await second.start()
    const deOutra = createRecordingHost({ contaId: TEST_CONTA_ID.replace('aa', 'bb') })
    const other = factory(deOutra.host)
    abertos.push(other)
    await other.start()
    await ficou(deOutra, 'pareando')
    expect(page.clients.map(({ contaId: conta }) => conta.slice(-2))).toEqual(['aa', 'bb'])
    release()
    await parando
    await ficou(after, 'conectado')

    // A profile held by a session is kept; otherwise it is deleted.
    await forget(TEST_CONTA_ID)
    expect(existsSync(join(dir, TEST_CONTA_ID))).toBe(true)
    await second.logout()
    expect(page.paired.size).toBe(0)
    expect(existsSync(join(dir, TEST_CONTA_ID))).toBe(false)
  })

  it('frees the browser when the session stops before it started', async () => {
    const { factory } = createNavegadorOver(page, { dir })
    const hospede = createRecordingHost()
    const { promise: loose, resolve: release } = Promise.withResolvers<void>()
    hospede.beforeState = () => loose
    const first = factory(hospede.host)
    const comecando = first.start()
    await first.stop()
    release()
    await comecando

    const after = createRecordingHost()
    const second = factory(after.host)
    abertos.push(second)
    await second.start()
    await ficou(after, 'pareando')
    expect(page.clients).toHaveLength(1)
  })

  it('deletes the profile folders of deleted accounts', async () => {
    const { sweep } = createNavegadorOver(page, { dir: join(dir, 'outras') })
    for (const fim of ['c1', 'c2'])
      await mkdir(join(dir, 'outras', TEST_CONTA_ID.replace(/aa$/, fim)), { recursive: true })
    expect(await sweep(async () => new Set([TEST_CONTA_ID.replace(/aa$/, 'c1')]))).toBe(1)
    expect(await readdir(join(dir, 'outras'))).toEqual([TEST_CONTA_ID.replace(/aa$/, 'c1')])
  })
})

describe('inbound messages', () => {
  it('delivers each message of a person once with all addresses', async () => {
    page.lids.add([ANA, '99900@lid'])
    const { hospede } = await connect()
    page.says({ from: ANA, name: 'Ana', text: 'oi', id: '3A1' })
    page.says({ from: ANA, name: 'Ana', text: 'oi', id: '3A1' })
    page.says({ from: '99900@lid', name: 'Ana', text: 'sou eu' })
    page.says({ from: '88800@lid', name: 'Bia', text: 'escondida' })
    for (const de of ['123-456@g.us', 'status@broadcast', '1203@newsletter', '0@c.us'])
      page.says({ from: de, text: 'não' })
    page.says({ from: ANA, type: 'e2e_notification' })
    page.says({ from: ANA, text: 'fim' })
    await recebeu(hospede, 4)
    const ana = { endereco: '5511910000001@s.whatsapp.net', outrosEnderecos: ['99900@lid'], telefone: '5511910000001' }
    expect(hospede.received.filter(({ telefone }) => telefone !== '')).toMatchObject([
      { ...ana, id: `false_${ANA}_3A1`, nome: 'Ana', texto: 'oi', deMim: false },
      { ...ana, endereco: '99900@lid', outrosEnderecos: [ana.endereco], texto: 'sou eu' },
      { ...ana, texto: 'fim' },
    ])
    expect(hospede.received).toContainEqual(expect.objectContaining({ endereco: '88800@lid', telefone: '' }))
  })

  it('delivers media, locations, contacts, cards and quotes', async () => {
    const { hospede } = await connect()
    const arquivo = {
      mimetype: 'image/png',
      data: Buffer.from('abc').toString('base64'),
      filename: 'foto.png',
      size: 3,
    }
    page.says({ from: ANA, type: 'image', text: 'veja', file: arquivo })
    page.says({ from: ANA, type: 'document', file: { ...arquivo, size: 6 * 2 ** 20 } })
    page.says({
      from: ANA,
      type: 'location',
      extra: { location: { latitude: -23.5, longitude: -46.6, name: 'Praça' } },
    })
    page.says({
      from: ANA,
      type: 'vcard',
      extra: { vCards: ['BEGIN:VCARD\nFN:Zé\nitem1.TEL;waid=5:+55 11 9\nEND:VCARD'] },
    })
    const quoted = {
      quotedMsg: { type: 'chat', body: 'o menu' },
      quotedParticipant: { _serialized: '5511990000001@c.us' },
    }
    page.says({ from: ANA, text: 'quero', extra: { _data: quoted } })
    const pollOptions = [{ name: 'Azul' }, { name: 'Rosa' }]
    page.says({ from: ANA, type: 'poll_creation', text: 'Qual?', extra: { pollName: 'Qual?', pollOptions } })
    page.says({ from: ANA, type: 'product', extra: { title: 'Vaso', description: null } })
    page.says({ from: ANA, type: 'e2e_notification', text: 'encrypt' })
    page.says({ from: ANA, type: 'unknown' })
    await recebeu(hospede, 8)
    expect(hospede.received.slice(5)).toMatchObject([
      { texto: 'Enquete\nQual?\n• Azul\n• Rosa' },
      { texto: 'Produto do catálogo\nVaso' },
      {
        texto: 'Mensagem que não aparece aqui. Abra o WhatsApp no celular para ver.',
        midia: { tipo: 'outro' },
      },
    ])
    expect(hospede.received.slice(0, 5)).toMatchObject([
      { texto: 'veja', midia: { tipo: 'imagem', url: '/api/midias/3', nomeArquivo: 'foto.png' } },
      { texto: '', midia: { tipo: 'documento', tamanhoBytes: 6 * 2 ** 20 } },
      { texto: 'Praça\nhttps://maps.google.com/?q=-23.5,-46.6', midia: { tipo: 'localizacao' } },
      { texto: 'Zé · +55 11 9', midia: { tipo: 'contato' } },
      { texto: 'quero', citada: { texto: 'o menu', nossa: true } },
    ])
    expect(hospede.received[1]?.midia).not.toHaveProperty('url')
  })

  it('applies edits, deletions and reactions, also to our own messages', async () => {
    const { hospede, conector } = await connect()
    const said = page.says({ from: ANA, text: 'oi' })
    page.client.emit('message_edit', { ...said, body: 'olá' }, 'olá', 'oi')
    page.client.emit('message_revoke_everyone', { ...said, type: 'revoked', protocolMessageKey: said.id }, undefined)
    const ours = mensagem('bom dia')
    await conector.send(ours)
    const { id: msgId } = page.messages.at(-1) ?? said
    page.client.emit('message_reaction', { id: said.id, msgId, reaction: '👍', senderId: ANA })
    await waitUntil(async () => hospede.changes.length === 3)
    expect(hospede.changes).toMatchObject([
      { alvo: said.id._serialized, deMim: false, mudanca: { tipo: 'edicao', texto: 'olá' } },
      { alvo: said.id._serialized, deMim: false, mudanca: { tipo: 'apagada' } },
      { alvo: ours.idExterno, deMim: false, mudanca: { tipo: 'reacao', emoji: '👍' } },
    ])
  })

  it('distinguishes the owner’s phone from our own sends', async () => {
    const { hospede, conector } = await connect()
    await conector.send(mensagem('sou o bot'))
    page.says({ to: ANA, text: 'sou o dono' })
    await recebeu(hospede, 1)
    expect(hospede.received).toMatchObject([{ texto: 'sou o dono', deMim: true, telefone: '5511910000001' }])
  })

  it('delivers recovered messages before newer ones', async () => {
    const { hospede } = await connect()
    page.client.alive = false
    page.says({ from: ANA, text: 'um' })
    const { promise: loose, resolve: release } = Promise.withResolvers<void>()
    page.onList = () => loose
    page.clients[0]?.die()
    await waitUntil(async () => types(hospede).filter((tipo) => tipo === 'conectado').length === 2)
    page.says({ from: ANA, text: 'dois' })
    release()
    await recebeu(hospede, 2)
    expect(hospede.received.map(({ texto }) => texto)).toEqual(['um', 'dois'])
  })

  it('downloads a file from the next browser when the first dies', async () => {
    const { hospede } = await connect()
    const arquivo = { mimetype: 'image/png', data: Buffer.from('abc').toString('base64'), filename: 'foto.png' }
    const caiu = new Error('Protocol error (Runtime.callFunctionOn): Target closed')
    const said = page.says({
      from: ANA,
      type: 'image',
      file: arquivo,
      extra: { downloadMedia: () => Promise.reject(caiu) },
    })
    page.messages.splice(page.messages.indexOf(said), 1, { ...said, downloadMedia: async () => arquivo })
    await recebeu(hospede, 1)
    expect(hospede.received[0]?.midia).toMatchObject({ url: '/api/midias/3', nomeArquivo: 'foto.png' })
  })

  it('retries in order until stored and recovers after a crash', async () => {
    const { hospede } = await connect()
    let refusals = 2
    const attempted: string[] = []
    hospede.receive = async (recebida) => {
      attempted.push(recebida.texto)
      if (recebida.texto === 'um' && refusals-- > 0) throw new Error('database unavailable')
      hospede.received.push(recebida)
    }
    page.says({ from: ANA, text: 'antiga', at: Math.floor(Date.now() / 1_000) - 3_600 })
    page.says({ from: ANA, text: 'um' })
    page.says({ from: ANA, text: 'dois' })
    // A kill before the message was stored: no stop, no save.
    await waitUntil(async () => attempted.includes('um'))
    const credenciais = hospede.credentials()
    page.client.alive = false

    const after = createRecordingHost({ credentials: credenciais })
    const other = createNavegadorOver(page, { dir }).factory(after.host)
    abertos.push(other)
    await other.start()
    page.says({ from: ANA, text: 'enquanto abria' })
    await recebeu(after, 3)
    expect(after.received.map(({ texto }) => texto)).toEqual(['um', 'dois', 'enquanto abria'])
    expect(after.states.map(({ tipo }) => tipo)).not.toContain('pareando')
  })
})

describe('outbound messages', () => {
  it('sends text and media and reports receipts', async () => {
    const { hospede, conector } = await connect()
    const texto = mensagem('oi')
    const foto = mensagem('a foto', { midia: { tipo: 'imagem', url: '/foto' } })
    await conector.send(texto)
    await conector.send(foto)
    await conector.send(mensagem('sumiu', { midia: { tipo: 'imagem', url: '/sumiu' }, endereco: '11910000001' }))
    expect(page.sent).toMatchObject([
      { para: ANA, texto: 'oi', opcoes: { waitUntilMsgSent: true } },
      { para: ANA, texto: 'a foto', arquivo: { mimetype: 'image/png' }, opcoes: { caption: 'a foto' } },
      { para: '11910000001@c.us', texto: 'sumiu' },
    ])
    const [primeira, segunda] = page.messages
    page.client.emit('message_ack', primeira, 2)
    page.client.emit('message_ack', primeira, 3)
    page.client.emit('message_ack', segunda, -1)
    await waitUntil(async () => hospede.receipts.length === 3)
    expect(hospede.receipts).toEqual([
      `entregue ${texto.idExterno}`,
      `lida ${texto.idExterno}`,
      `falhou ${foto.idExterno}`,
    ])
    conector.typing('5511910000001@s.whatsapp.net')
    await waitUntil(async () => page.typing.includes(ANA))
  })

  it('quotes and reacts to messages that the page knows', async () => {
    const { hospede, conector } = await connect()
    const said = page.says({ from: ANA, text: 'tem pão?' })
    const alvo = { id: said.id._serialized, nossa: false, texto: 'tem pão?' }
    const reply = mensagem('tem', { citada: alvo })
    await conector.send(reply)
    await conector.send(mensagem('também', { citada: { ...alvo, id: ids.uuid() } }))
    expect(page.sent.map(({ opcoes }) => opcoes.quotedMessageId)).toEqual([alvo.id, undefined])
    expect(hospede.serviceIds[0]).toEqual([reply.idExterno, page.messages[1]?.id._serialized])
    await conector.send(mensagem('', { reacao: { alvo, emoji: '❤️' } }))
    expect(page.reactions).toEqual([[alvo.id, '❤️']])
    const desconhecida = mensagem('', { reacao: { alvo: { ...alvo, id: ids.uuid() }, emoji: '❤️' } })
    await expect(conector.send(desconhecida)).rejects.toBeInstanceOf(SendRefused)
  })

  it('edits and deletes messages that the page knows', async () => {
    const { conector } = await connect()
    const sent = mensagem('Sai as 9h')
    await conector.send(sent)
    const id = page.messages[0]?.id._serialized ?? ''
    const alvo = { id, nossa: true, texto: 'Sai as 9h' }
    await conector.send(mensagem('', { edicao: { alvo, texto: 'Sai às 9h' } }))
    await conector.send(mensagem('', { edicao: { alvo, texto: null } }))
    expect(page.changes).toEqual([
      [id, 'Sai às 9h'],
      [id, null],
    ])
    page.refusesEdits = true
    for (const unknown of [alvo, { ...alvo, id: ids.uuid() }]) {
      const edicao = { alvo: unknown, texto: 'tarde demais' }
      await expect(conector.send(mensagem('', { edicao }))).rejects.toBeInstanceOf(SendRefused)
    }
    expect(page.sent).toHaveLength(1)
  })

  it('limits the pace per contato and defers messages beyond it', async () => {
    let agora = 0
    const pacer = new Pacer({ pauseMs: [0, 0], patienceMs: 10_000, now: () => agora })
    const turn = (endereco: string): Promise<void> =>
      pacer.waitForTurn({ idExterno: ids.uuid(), endereco }, new AbortController().signal)
    for (let n = 0; n < 20; n += 1, agora += 500) await turn('ana')
    await expect(turn('ana')).rejects.toMatchObject({ waitMs: 50_000 })
    await turn('bia')
    agora = 60_000
    await turn('ana')
  })

  it('refuses permanently only without a chat for the contato', async () => {
    const { conector } = await connect()
    page.failures.send.push('sem conversa', 'recusar')
    await expect(conector.send(mensagem('oi'))).rejects.toBeInstanceOf(SendRefused)
    await expect(conector.send(mensagem('oi'))).rejects.not.toBeInstanceOf(SendRefused)
  })

  it('refuses an empty message whose file is missing', async () => {
    const { conector } = await connect()
    const midia = { tipo: 'imagem', url: '/outra' } as const
    await expect(conector.send(mensagem('', { midia }))).rejects.toBeInstanceOf(SendRefused)
    await conector.send(mensagem('sem foto', { midia }))
    expect(page.messages.map(({ body }) => body)).toEqual(['sem foto'])
  })

  it('sends once when the first attempt had no answer', async () => {
    const { conector } = await connect({ navegador: { sendTimeoutMs: 50 } })
    page.failures.send.push('sem resposta')
    const duvidosa = mensagem('uma vez')
    await expect(conector.send(duvidosa)).rejects.toThrow('a tempo')
    await conector.send(duvidosa)
    await conector.send(mensagem('uma vez'))
    expect(page.sent).toHaveLength(2)
  })

  it('sends once when the page’s answer is unreadable', async () => {
    const { conector } = await connect()
    page.failures.send.push('outra forma')
    const uma = mensagem('uma forma')
    await conector.send(uma).catch(() => conector.send(uma))
    expect(page.sent).toHaveLength(1)
  })

  it('sends once when the queue retries during a slow send', async () => {
    const { conector } = await connect()
    const { client } = page
    const enviar = client.sendMessage.bind(client)
    const { promise: loose, resolve: release } = Promise.withResolvers<void>()
    client.sendMessage = async (...request) => {
      await loose
      return enviar(...request)
    }
    const slow = mensagem('a foto de ontem')
    const attempts = [conector.send(slow), conector.send(slow)]
    release()
    await Promise.all(attempts)
    await conector.send(slow)
    expect(page.messages.map(({ body }) => body)).toEqual(['a foto de ontem'])
    // After a late refusal an operator may send it again.
    client.emit('message_ack', page.messages[0], -1)
    await waitUntil(async () => {
      await conector.send(slow)
      return page.messages.length === 2
    })
  })

  it('sends once after a crash, also with two equal texts', async () => {
    const { hospede, conector } = await connect()
    const [um, two] = [mensagem('menu'), mensagem('menu')]
    await conector.send(um)
    const credenciais = hospede.credentials()
    page.client.alive = false
    const after = createRecordingHost({
      ...{ credentials: credenciais, storedMessages: [um, two], begunBefore: [um.idExterno] },
    })
    const other = createNavegadorOver(page, { dir }).factory(after.host)
    abertos.push(other)
    await other.start()
    await ficou(after, 'conectado')
    await other.send(um)
    expect(page.sent).toHaveLength(1)
    await other.send(two)
    expect(page.sent).toHaveLength(2)
    page.client.emit('message_ack', page.messages[0], 2)
    await waitUntil(async () => after.receipts.length === 1)
    expect(after.receipts).toEqual([`entregue ${um.idExterno}`])
    expect(after.received).toEqual([])
  })
})
