import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createRitmo } from '#adapters/navegador/ritmo.ts'
import { createIds } from '#ids.ts'
import type { NavegadorOptions } from '#adapters/navegador/navegador.ts'
import { type Connector, EnvioRecusado, type OutboundMessage } from '#ports/messaging.ts'
import { ate } from '#test/bot/house.ts'
import { CONTA, createConectores, createHospede, type Hospede, type HospedeOptions } from './hospede.ts'
import { Pagina } from './pagina-falsa.ts'

const ANA = '5511910000001@c.us'
const ids = createIds({ now: () => new Date() })
const mensagem = (texto: string, mais: Partial<OutboundMessage> = {}): OutboundMessage => ({
  idExterno: ids.uuid(),
  endereco: '5511910000001@s.whatsapp.net',
  texto,
  ...mais,
})

let dir: string
let pagina: Pagina
let abertos: Connector[]
beforeAll(async () => {
  dir = await mkdtemp('/tmp/balcao-sessao-')
})
afterAll(() => rm(dir, { recursive: true, force: true }))
beforeEach(() => {
  pagina = new Pagina()
  abertos = []
})
afterEach(() => Promise.all(abertos.map((conector) => conector.stop())))

const abrir = async (
  opcoes: HospedeOptions & { navegador?: Partial<NavegadorOptions> } = {},
): Promise<{ hospede: Hospede; conector: Connector }> => {
  const hospede = createHospede(opcoes)
  const conector = createConectores(pagina, { dir, ...opcoes.navegador }).factory(hospede.host)
  abertos.push(conector)
  await conector.start()
  return { hospede, conector }
}
const tipos = ({ estados }: Hospede): string[] => estados.map(({ tipo }) => tipo)
const ficou = (hospede: Hospede, tipo: string): Promise<unknown> =>
  ate(async () => hospede.estados.at(-1)?.tipo === tipo)
const conectar = async (opcoes: Parameters<typeof abrir>[0] = {}) => {
  const aberto = await abrir(opcoes)
  await ficou(aberto.hospede, 'pareando')
  pagina.escanear()
  await ficou(aberto.hospede, 'conectado')
  return aberto
}
const recebeu = (hospede: Hospede, n: number): Promise<unknown> => ate(async () => hospede.recebidas.length >= n)

describe('session link', () => {
  it('rotates codes until a scan and saves the link before reporting it', async () => {
    const { hospede, conector } = await abrir()
    await ficou(hospede, 'pareando')
    pagina.cliente.emit('qr', 'outro')
    await ate(async () => hospede.estados.length === 3)
    const [primeiro, segundo] = hospede.estados.flatMap((estado) => (estado.tipo === 'pareando' ? [estado] : []))
    expect(segundo).toMatchObject({ qrCode: 'outro' })
    expect(primeiro?.expiraEm.getTime()).toBeGreaterThan(segundo?.expiraEm.getTime() ?? 0)
    expect(await conector.codigo?.('5511990000001')).toMatchObject({ codigo: 'COD00001' })
    await expect(conector.codigo?.('55')).rejects.toBeInstanceOf(EnvioRecusado)
    expect(hospede.credenciais()).toBeNull()
    pagina.escanear()
    await ficou(hospede, 'conectado')
    expect(hospede.credenciais()).toMatchObject({ criadoEm: expect.any(Number) })
    expect(hospede.estados.at(-1)).toEqual({ tipo: 'conectado', como: 'Loja' })
    expect(tipos(hospede)).toEqual(['conectando', 'pareando', 'pareando', 'conectando', 'conectado'])
    expect(await conector.codigo?.('5511990000001')).toBeNull()
    expect(conector.silencioMs()).toBeGreaterThanOrEqual(0)
  })

  it('saves the link again after the store failed', async () => {
    const { hospede } = await abrir()
    await ficou(hospede, 'pareando')
    let falhas = 2
    hospede.antesDeSalvar = () => {
      if (falhas-- > 0) throw new Error('no database')
    }
    pagina.escanear()
    await ficou(hospede, 'conectado')
    expect(hospede.credenciais()).toMatchObject({ criadoEm: expect.any(Number) })
  })

  it('ends after the last code expired without a scan', async () => {
    const { hospede } = await abrir()
    await ficou(hospede, 'pareando')
    for (let n = 0; n < 6; n += 1) pagina.cliente.emit('qr', `mais-${n}`)
    await ficou(hospede, 'encerrado')
    expect(hospede.estados.at(-1)).toEqual({ tipo: 'encerrado', status: 'PARADO', motivo: 'qrExpirado' })
    expect(pagina.cliente.vivo).toBe(false)
  })

  it.each([
    ['LOGOUT', { status: 'PARADO', motivo: 'desconectadoNoCelular' }],
    ['TOS_BLOCK', { status: 'ERRO', motivo: 'banido' }],
    ['DEPRECATED_VERSION', { status: 'ERRO', motivo: 'clienteDesatualizado' }],
  ])('ends the session on %s', async (razao, fim) => {
    const { hospede } = await conectar()
    pagina.cliente.emit('disconnected', razao)
    await ficou(hospede, 'encerrado')
    expect(hospede.estados.at(-1)).toMatchObject(fim)
    expect(existsSync(join(dir, CONTA))).toBe(razao === 'DEPRECATED_VERSION')
  })

  it('reports the end when the profile folder cannot be deleted', async () => {
    const lugar = await mkdtemp('/tmp/balcao-sessao-')
    const { hospede } = await conectar({ navegador: { dir: join(lugar, 'perfis') } })
    await rename(join(lugar, 'perfis'), join(lugar, 'outros'))
    await writeFile(join(lugar, 'perfis'), 'not a folder')
    pagina.cliente.emit('disconnected', 'LOGOUT')
    await ficou(hospede, 'encerrado')
    await rm(lugar, { recursive: true })
  })

  it('reconnects after the first conflict and stops after the second', async () => {
    const { hospede } = await conectar()
    pagina.cliente.emit('disconnected', 'CONFLICT')
    await ate(async () => tipos(hospede).filter((tipo) => tipo === 'conectado').length === 2)
    expect(hospede.estados).toContainEqual({ tipo: 'reconectando', motivo: 'substituido' })
    pagina.cliente.emit('disconnected', 'CONFLICT')
    await ficou(hospede, 'encerrado')
    expect(hospede.estados.at(-1)).toMatchObject({ motivo: 'substituido' })
  })

  it('reports rejected credentials', async () => {
    const { hospede } = await abrir()
    await ficou(hospede, 'pareando')
    pagina.cliente.emit('auth_failure', 'no')
    await ficou(hospede, 'encerrado')
    expect(hospede.estados.at(-1)).toMatchObject({ status: 'erro_auth', motivo: 'credenciaisInvalidas' })
  })

  it('sends nothing while the page has no network', async () => {
    const { hospede, conector } = await conectar()
    pagina.cliente.emit('change_state', 'TIMEOUT')
    await ficou(hospede, 'reconectando')
    expect(conector.silencioMs()).toBeNull()
    await expect(conector.send(mensagem('oi'))).rejects.toThrow('sem conexão')
    pagina.cliente.emit('change_state', 'CONNECTED')
    await ficou(hospede, 'conectado')
    await conector.send(mensagem('oi'))
    expect(pagina.clientes).toHaveLength(1)
  })
})

describe('session browser', () => {
  it.each([
    ['/bin/sh', 'navegadorNaoPermitido'],
    [join('/tmp', 'nenhum-chrome'), 'navegadorNaoEncontrado'],
    ['/bin/true', 'navegadorInutilizavel'],
  ])('refuses the program %s and reports the reason', async (chromePath, motivo) => {
    const permitidos = ['/bin/true', '/tmp/nenhum-chrome']
    const { hospede } = await abrir({ chromePath, navegador: { permitidos } })
    await ficou(hospede, 'encerrado')
    expect(hospede.estados.at(-1)).toEqual({ tipo: 'encerrado', status: 'ERRO', motivo })
    expect(pagina.clientes).toHaveLength(0)
  })

  it('retries without a network and stops without memory', async () => {
    pagina.falhas.abrir.push(new Error('net::ERR_NAME_NOT_RESOLVED at https://web.whatsapp.com/'), 'auth timeout')
    const { hospede } = await abrir()
    await ficou(hospede, 'pareando')
    expect(hospede.estados.flatMap((estado) => (estado.tipo === 'reconectando' ? [estado.motivo] : []))).toEqual([
      'semRede',
      'servicoInstavel',
    ])
    const outra = await abrir({ navegador: { maximo: 0 } })
    await ficou(outra.hospede, 'encerrado')
    expect(outra.hospede.estados.at(-1)).toMatchObject({ status: 'ERRO', motivo: 'navegadorSemMemoria' })
  })

  const motivos = ({ estados }: Hospede): unknown[] =>
    estados.flatMap((estado) => (estado.tipo === 'reconectando' ? [estado.motivo] : []))
  const conectou = (hospede: Hospede, vezes: number) =>
    ate(() => tipos(hospede).filter((tipo) => tipo === 'conectado').length === vezes)

  it('reopens a browser that died or hangs', async () => {
    const { hospede } = await conectar({ navegador: { vigiaMs: 5 } })
    pagina.cliente.morrer()
    await conectou(hospede, 2)
    pagina.cliente.estado = 'TIMEOUT'
    await conectou(hospede, 3)
    expect(motivos(hospede)).toEqual(['navegadorCaiu', 'navegadorCaiu'])
    expect(pagina.clientes.filter(({ vivo }) => vivo)).toHaveLength(1)
  })

  it.runIf(process.platform === 'linux')('reopens a browser over the memory limit and ends its processes', async () => {
    const { hospede } = await conectar({ navegador: { vigiaMs: 5, memoriaMaxima: 1 } })
    // Stands in for the browser process, which the fake page does not have.
    const guloso = spawn(process.execPath, [
      '-e',
      'setInterval(() => {}, 1e6)',
      '--',
      `--user-data-dir=${dir}/${CONTA}`,
    ])
    await new Promise((resolve) => guloso.once('exit', resolve))
    await conectou(hospede, 2)
    expect(guloso.signalCode).toBe('SIGKILL')
    expect(motivos(hospede)).toContain('navegadorCaiu')
  })

  it('opens one browser per account and waits for the previous session', async () => {
    const { factory, esquecer } = createConectores(pagina, { dir })
    const hospede = createHospede()
    const primeiro = factory(hospede.host)
    await primeiro.start()
    await ficou(hospede, 'pareando')
    pagina.escanear()
    await ficou(hospede, 'conectado')
    const { promise: solta, resolve: soltar } = Promise.withResolvers<void>()
    pagina.cliente.destroy = () => solta
    const parando = primeiro.stop()

    const depois = createHospede({ credenciais: hospede.credenciais() })
    const segundo = factory(depois.host)
    abertos.push(segundo)
    await segundo.start()
    const deOutra = createHospede({ contaId: CONTA.replace('aa', 'bb') })
    const outra = factory(deOutra.host)
    abertos.push(outra)
    await outra.start()
    await ficou(deOutra, 'pareando')
    expect(pagina.clientes.map(({ conta }) => conta.slice(-2))).toEqual(['aa', 'bb'])
    soltar()
    await parando
    await ficou(depois, 'conectado')

    // A profile held by a session is kept; otherwise it is deleted.
    await esquecer(CONTA)
    expect(existsSync(join(dir, CONTA))).toBe(true)
    await segundo.logout()
    expect(pagina.pareadas.size).toBe(0)
    expect(existsSync(join(dir, CONTA))).toBe(false)
  })

  it('frees the browser when the session stops before it started', async () => {
    const { factory } = createConectores(pagina, { dir })
    const hospede = createHospede()
    const { promise: solta, resolve: soltar } = Promise.withResolvers<void>()
    hospede.antesDoEstado = () => solta
    const primeiro = factory(hospede.host)
    const comecando = primeiro.start()
    await primeiro.stop()
    soltar()
    await comecando

    const depois = createHospede()
    const segundo = factory(depois.host)
    abertos.push(segundo)
    await segundo.start()
    await ficou(depois, 'pareando')
    expect(pagina.clientes).toHaveLength(1)
  })

  it('deletes the profile folders of deleted accounts', async () => {
    const { recolher } = createConectores(pagina, { dir: join(dir, 'outras') })
    for (const fim of ['c1', 'c2']) await mkdir(join(dir, 'outras', CONTA.replace(/aa$/, fim)), { recursive: true })
    expect(await recolher(async () => new Set([CONTA.replace(/aa$/, 'c1')]))).toBe(1)
    expect(await readdir(join(dir, 'outras'))).toEqual([CONTA.replace(/aa$/, 'c1')])
  })
})

describe('inbound messages', () => {
  it('delivers each message of a person once with all addresses', async () => {
    pagina.lids.add([ANA, '99900@lid'])
    const { hospede } = await conectar()
    pagina.diz({ de: ANA, nome: 'Ana', texto: 'oi', id: '3A1' })
    pagina.diz({ de: ANA, nome: 'Ana', texto: 'oi', id: '3A1' })
    pagina.diz({ de: '99900@lid', nome: 'Ana', texto: 'sou eu' })
    pagina.diz({ de: '88800@lid', nome: 'Bia', texto: 'escondida' })
    for (const de of ['123-456@g.us', 'status@broadcast', '1203@newsletter', '0@c.us']) pagina.diz({ de, texto: 'não' })
    pagina.diz({ de: ANA, type: 'e2e_notification' })
    pagina.diz({ de: ANA, texto: 'fim' })
    await recebeu(hospede, 4)
    const ana = { endereco: '5511910000001@s.whatsapp.net', outrosEnderecos: ['99900@lid'], telefone: '5511910000001' }
    expect(hospede.recebidas.filter(({ telefone }) => telefone !== '')).toMatchObject([
      { ...ana, id: `false_${ANA}_3A1`, nome: 'Ana', texto: 'oi', deMim: false },
      { ...ana, endereco: '99900@lid', outrosEnderecos: [ana.endereco], texto: 'sou eu' },
      { ...ana, texto: 'fim' },
    ])
    expect(hospede.recebidas).toContainEqual(expect.objectContaining({ endereco: '88800@lid', telefone: '' }))
  })

  it('delivers media, locations, contacts, cards and quotes', async () => {
    const { hospede } = await conectar()
    const arquivo = {
      mimetype: 'image/png',
      data: Buffer.from('abc').toString('base64'),
      filename: 'foto.png',
      size: 3,
    }
    pagina.diz({ de: ANA, type: 'image', texto: 'veja', arquivo })
    pagina.diz({ de: ANA, type: 'document', arquivo: { ...arquivo, size: 6 * 2 ** 20 } })
    pagina.diz({ de: ANA, type: 'location', mais: { location: { latitude: -23.5, longitude: -46.6, name: 'Praça' } } })
    pagina.diz({
      de: ANA,
      type: 'vcard',
      mais: { vCards: ['BEGIN:VCARD\nFN:Zé\nitem1.TEL;waid=5:+55 11 9\nEND:VCARD'] },
    })
    const citada = {
      quotedMsg: { type: 'chat', body: 'o menu' },
      quotedParticipant: { _serialized: '5511990000001@c.us' },
    }
    pagina.diz({ de: ANA, texto: 'quero', mais: { _data: citada } })
    const pollOptions = [{ name: 'Azul' }, { name: 'Rosa' }]
    pagina.diz({ de: ANA, type: 'poll_creation', texto: 'Qual?', mais: { pollName: 'Qual?', pollOptions } })
    pagina.diz({ de: ANA, type: 'product', mais: { title: 'Vaso', description: null } })
    pagina.diz({ de: ANA, type: 'e2e_notification', texto: 'encrypt' })
    pagina.diz({ de: ANA, type: 'unknown' })
    await recebeu(hospede, 8)
    expect(hospede.recebidas.slice(5)).toMatchObject([
      { texto: 'Enquete\nQual?\n• Azul\n• Rosa' },
      { texto: 'Produto do catálogo\nVaso' },
      {
        texto: 'Mensagem que não aparece aqui. Abra o WhatsApp no celular para ver.',
        midia: { tipo: 'outro' },
      },
    ])
    expect(hospede.recebidas.slice(0, 5)).toMatchObject([
      { texto: 'veja', midia: { tipo: 'imagem', url: '/api/midias/3', nomeArquivo: 'foto.png' } },
      { texto: '', midia: { tipo: 'documento', tamanhoBytes: 6 * 2 ** 20 } },
      { texto: 'Praça\nhttps://maps.google.com/?q=-23.5,-46.6', midia: { tipo: 'localizacao' } },
      { texto: 'Zé · +55 11 9', midia: { tipo: 'contato' } },
      { texto: 'quero', citada: { texto: 'o menu', nossa: true } },
    ])
    expect(hospede.recebidas[1]?.midia).not.toHaveProperty('url')
  })

  it('applies edits, deletions and reactions, also to our own messages', async () => {
    const { hospede, conector } = await conectar()
    const dita = pagina.diz({ de: ANA, texto: 'oi' })
    pagina.cliente.emit('message_edit', { ...dita, body: 'olá' }, 'olá', 'oi')
    pagina.cliente.emit('message_revoke_everyone', { ...dita, type: 'revoked', protocolMessageKey: dita.id }, undefined)
    const nossa = mensagem('bom dia')
    await conector.send(nossa)
    const { id: msgId } = pagina.mensagens.at(-1) ?? dita
    pagina.cliente.emit('message_reaction', { id: dita.id, msgId, reaction: '👍', senderId: ANA })
    await ate(async () => hospede.alteracoes.length === 3)
    expect(hospede.alteracoes).toMatchObject([
      { alvo: dita.id._serialized, deMim: false, mudanca: { tipo: 'edicao', texto: 'olá' } },
      { alvo: dita.id._serialized, deMim: false, mudanca: { tipo: 'apagada' } },
      { alvo: nossa.idExterno, deMim: false, mudanca: { tipo: 'reacao', emoji: '👍' } },
    ])
  })

  it('distinguishes the owner’s phone from our own sends', async () => {
    const { hospede, conector } = await conectar()
    await conector.send(mensagem('sou o bot'))
    pagina.diz({ para: ANA, texto: 'sou o dono' })
    await recebeu(hospede, 1)
    expect(hospede.recebidas).toMatchObject([{ texto: 'sou o dono', deMim: true, telefone: '5511910000001' }])
  })

  it('delivers recovered messages before newer ones', async () => {
    const { hospede } = await conectar()
    pagina.cliente.vivo = false
    pagina.diz({ de: ANA, texto: 'um' })
    const { promise: solta, resolve: soltar } = Promise.withResolvers<void>()
    pagina.aoListar = () => solta
    pagina.clientes[0]?.morrer()
    await ate(async () => tipos(hospede).filter((tipo) => tipo === 'conectado').length === 2)
    pagina.diz({ de: ANA, texto: 'dois' })
    soltar()
    await recebeu(hospede, 2)
    expect(hospede.recebidas.map(({ texto }) => texto)).toEqual(['um', 'dois'])
  })

  it('downloads a file from the next browser when the first dies', async () => {
    const { hospede } = await conectar()
    const arquivo = { mimetype: 'image/png', data: Buffer.from('abc').toString('base64'), filename: 'foto.png' }
    const caiu = new Error('Protocol error (Runtime.callFunctionOn): Target closed')
    const dita = pagina.diz({ de: ANA, type: 'image', arquivo, mais: { downloadMedia: () => Promise.reject(caiu) } })
    pagina.mensagens.splice(pagina.mensagens.indexOf(dita), 1, { ...dita, downloadMedia: async () => arquivo })
    await recebeu(hospede, 1)
    expect(hospede.recebidas[0]?.midia).toMatchObject({ url: '/api/midias/3', nomeArquivo: 'foto.png' })
  })

  it('retries in order until stored and recovers after a crash', async () => {
    const { hospede } = await conectar()
    let recusas = 2
    const tentadas: string[] = []
    hospede.receber = async (recebida) => {
      tentadas.push(recebida.texto)
      if (recebida.texto === 'um' && recusas-- > 0) throw new Error('database unavailable')
      hospede.recebidas.push(recebida)
    }
    pagina.diz({ de: ANA, texto: 'antiga', em: Math.floor(Date.now() / 1_000) - 3_600 })
    pagina.diz({ de: ANA, texto: 'um' })
    pagina.diz({ de: ANA, texto: 'dois' })
    // A kill before the message was stored: no stop, no save.
    await ate(async () => tentadas.includes('um'))
    const credenciais = hospede.credenciais()
    pagina.cliente.vivo = false

    const depois = createHospede({ credenciais })
    const outra = createConectores(pagina, { dir }).factory(depois.host)
    abertos.push(outra)
    await outra.start()
    pagina.diz({ de: ANA, texto: 'enquanto abria' })
    await recebeu(depois, 3)
    expect(depois.recebidas.map(({ texto }) => texto)).toEqual(['um', 'dois', 'enquanto abria'])
    expect(depois.estados.map(({ tipo }) => tipo)).not.toContain('pareando')
  })
})

describe('outbound messages', () => {
  it('sends text and media and reports receipts', async () => {
    const { hospede, conector } = await conectar()
    const texto = mensagem('oi')
    const foto = mensagem('a foto', { midia: { tipo: 'imagem', url: '/foto' } })
    await conector.send(texto)
    await conector.send(foto)
    await conector.send(mensagem('sumiu', { midia: { tipo: 'imagem', url: '/sumiu' }, endereco: '11910000001' }))
    expect(pagina.enviadas).toMatchObject([
      { para: ANA, texto: 'oi', opcoes: { waitUntilMsgSent: true } },
      { para: ANA, texto: 'a foto', arquivo: { mimetype: 'image/png' }, opcoes: { caption: 'a foto' } },
      { para: '11910000001@c.us', texto: 'sumiu' },
    ])
    const [primeira, segunda] = pagina.mensagens
    pagina.cliente.emit('message_ack', primeira, 2)
    pagina.cliente.emit('message_ack', primeira, 3)
    pagina.cliente.emit('message_ack', segunda, -1)
    await ate(async () => hospede.recibos.length === 3)
    expect(hospede.recibos).toEqual([
      `entregue ${texto.idExterno}`,
      `lida ${texto.idExterno}`,
      `falhou ${foto.idExterno}`,
    ])
    conector.digitando('5511910000001@s.whatsapp.net')
    await ate(async () => pagina.digitando.includes(ANA))
  })

  it('quotes and reacts to messages that the page knows', async () => {
    const { hospede, conector } = await conectar()
    const dita = pagina.diz({ de: ANA, texto: 'tem pão?' })
    const alvo = { id: dita.id._serialized, nossa: false, texto: 'tem pão?' }
    const resposta = mensagem('tem', { citada: alvo })
    await conector.send(resposta)
    await conector.send(mensagem('também', { citada: { ...alvo, id: ids.uuid() } }))
    expect(pagina.enviadas.map(({ opcoes }) => opcoes.quotedMessageId)).toEqual([alvo.id, undefined])
    expect(hospede.chamadas[0]).toEqual([resposta.idExterno, pagina.mensagens[1]?.id._serialized])
    await conector.send(mensagem('', { reacao: { alvo, emoji: '❤️' } }))
    expect(pagina.reacoes).toEqual([[alvo.id, '❤️']])
    const desconhecida = mensagem('', { reacao: { alvo: { ...alvo, id: ids.uuid() }, emoji: '❤️' } })
    await expect(conector.send(desconhecida)).rejects.toBeInstanceOf(EnvioRecusado)
  })

  it('limits the pace per contato and defers messages beyond it', async () => {
    let agora = 0
    const { vez } = createRitmo(
      () => agora,
      () => 0,
    )
    for (let n = 0; n < 20; n += 1, agora += 500) await vez('ana')
    await expect(vez('ana')).rejects.toMatchObject({ esperaMs: 50_000 })
    await vez('bia')
    agora = 60_000
    await vez('ana')
  })

  it('refuses permanently only without a chat for the contato', async () => {
    const { conector } = await conectar()
    pagina.falhas.enviar.push('sem conversa', 'recusar')
    await expect(conector.send(mensagem('oi'))).rejects.toBeInstanceOf(EnvioRecusado)
    await expect(conector.send(mensagem('oi'))).rejects.not.toBeInstanceOf(EnvioRecusado)
  })

  it('refuses an empty message whose file is missing', async () => {
    const { conector } = await conectar()
    const midia = { tipo: 'imagem', url: '/outra' } as const
    await expect(conector.send(mensagem('', { midia }))).rejects.toBeInstanceOf(EnvioRecusado)
    await conector.send(mensagem('sem foto', { midia }))
    expect(pagina.mensagens.map(({ body }) => body)).toEqual(['sem foto'])
  })

  it('sends once when the first attempt had no answer', async () => {
    const { conector } = await conectar({ navegador: { envioMs: 50 } })
    pagina.falhas.enviar.push('sem resposta')
    const duvidosa = mensagem('uma vez')
    await expect(conector.send(duvidosa)).rejects.toThrow('a tempo')
    await conector.send(duvidosa)
    await conector.send(mensagem('uma vez'))
    expect(pagina.enviadas).toHaveLength(2)
  })

  it('sends once when the page’s answer is unreadable', async () => {
    const { conector } = await conectar()
    pagina.falhas.enviar.push('outra forma')
    const uma = mensagem('uma forma')
    await conector.send(uma).catch(() => conector.send(uma))
    expect(pagina.enviadas).toHaveLength(1)
  })

  it('sends once when the queue retries during a slow send', async () => {
    const { conector } = await conectar()
    const { cliente } = pagina
    const enviar = cliente.sendMessage.bind(cliente)
    const { promise: solta, resolve: soltar } = Promise.withResolvers<void>()
    cliente.sendMessage = async (...pedido) => {
      await solta
      return enviar(...pedido)
    }
    const lenta = mensagem('a foto de ontem')
    const tentativas = [conector.send(lenta), conector.send(lenta)]
    soltar()
    await Promise.all(tentativas)
    await conector.send(lenta)
    expect(pagina.mensagens.map(({ body }) => body)).toEqual(['a foto de ontem'])
    // After a late refusal an operator may send it again.
    cliente.emit('message_ack', pagina.mensagens[0], -1)
    await ate(async () => {
      await conector.send(lenta)
      return pagina.mensagens.length === 2
    })
  })

  it('sends once after a crash, also with two equal texts', async () => {
    const { hospede, conector } = await conectar()
    const [um, dois] = [mensagem('menu'), mensagem('menu')]
    await conector.send(um)
    const credenciais = hospede.credenciais()
    pagina.cliente.vivo = false
    const depois = createHospede({ credenciais, escritas: [um, dois] })
    const outra = createConectores(pagina, { dir }).factory(depois.host)
    abertos.push(outra)
    await outra.start()
    await ficou(depois, 'conectado')
    await outra.send(um)
    expect(pagina.enviadas).toHaveLength(1)
    await outra.send(dois)
    expect(pagina.enviadas).toHaveLength(2)
    pagina.cliente.emit('message_ack', pagina.mensagens[0], 2)
    await ate(async () => depois.recibos.length === 1)
    expect(depois.recibos).toEqual([`entregue ${um.idExterno}`])
    expect(depois.recebidas).toEqual([])
  })
})
