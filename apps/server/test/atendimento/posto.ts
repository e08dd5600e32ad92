import { expect } from 'vitest'
import { io, type Socket } from 'socket.io-client'
import type { Conversa } from '@balcao/contract/entities/conversa'
import { type EventoServidor, parseEvento } from '@balcao/contract/realtime'
import { conversasHumanasRoute } from '@balcao/contract/routes/atendimento'
import { euRoute } from '@balcao/contract/routes/auth'
import { autenticar, type Casa, type CasaOptions, createCasa, type Pedir, type Resposta } from '#test/bot/casa.ts'
import { ate } from '#test/bot/house.ts'

/** Logged-in operador with all events that their socket received. */
export interface Pessoa {
  readonly id: string
  readonly contaId: string
  readonly nome: string
  readonly pedir: Pedir
  readonly eventos: EventoServidor[]
  readonly agir: (id: string, acao: string, body?: unknown) => Promise<Resposta>
  readonly listar: (query?: string) => Promise<Conversa[]>
}

/** A conta with a connected bot and two operadores, and a second conta. */
export interface Posto {
  readonly casa: Casa
  readonly dona: Pessoa
  readonly rui: Pessoa
  readonly vizinha: Pessoa
  readonly clienteDiz: (telefone: string, texto: string, nome?: string) => Promise<void>
  /** Creates a new customer who asked for a person. Returns the id of the waiting conversa and the phone. */
  readonly chegar: () => Promise<{ id: string; telefone: string }>
  readonly noTelefone: (telefone: string) => Promise<string[]>
  readonly close: () => Promise<void>
}

const SENHA = 'senha-da-loja'

export async function createPosto(opcoes: CasaOptions = {}): Promise<Posto> {
  const casa = await createCasa(opcoes)
  const sockets: Socket[] = []

  const entrarComo = async (email: string): Promise<Pessoa> => {
    const { pedir, token } = await autenticar(casa.url, { email, senha: SENHA })
    const { usuario } = euRoute.response.parse((await pedir('GET', '/auth/eu')).body)
    const eventos: EventoServidor[] = []
    const socket = io(casa.url, { auth: { token }, transports: ['websocket'], forceNew: true })
    sockets.push(socket)
    socket.onAny((evento: string, dados: unknown) => {
      const lido = parseEvento(evento, dados)
      if (lido === null) throw new Error(`event not in the contract: ${evento} ${JSON.stringify(dados)}`)
      eventos.push(lido)
    })
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve)
      socket.once('connect_error', reject)
    })
    return {
      ...{ id: usuario.id, contaId: usuario.contaId, nome: usuario.nome, pedir, eventos },
      agir: (id, acao, body) => pedir('POST', `/atendimento/conversas/${id}/${acao}`, body),
      listar: async (query = 'limite=200') => {
        const { status, body } = await pedir('GET', `/atendimento/conversas?${query}`)
        expect(status).toBe(200)
        return conversasHumanasRoute.response.parse(body).conversas
      },
    }
  }

  const abrirConta = async (nome: string, email: string): Promise<void> => {
    const cadastro = { nome, email, senha: SENHA, telefone: '11987654321', empresa: `Loja de ${nome}` }
    expect((await casa.pedir('POST', '/admin/usuarios', cadastro)).status).toBe(201)
  }

  await abrirConta('Dona', 'dona-da-loja@loja.test')
  await abrirConta('Vizinha', 'vizinha@loja.test')
  await casa.sql(
    `insert into usuarios (id, conta_id, nome, email, tipo, status, senha_hash)
     select gen_random_uuid(), conta_id, 'Rui', 'rui@loja.test', 'operador', 'ativo', senha_hash
     from usuarios where email = 'dona-da-loja@loja.test'`,
  )
  const [dona, rui, vizinha] = [
    await entrarComo('dona-da-loja@loja.test'),
    await entrarComo('rui@loja.test'),
    await entrarComo('vizinha@loja.test'),
  ]
  await conectar(dona.pedir)

  let clientes = 0
  const clienteDiz: Posto['clienteDiz'] = async (telefone, texto, nome = 'Bia') => {
    expect((await dona.pedir('POST', '/simulador/mensagens', { telefone, nome, texto })).status).toBe(202)
  }
  return {
    ...{ casa, dona, rui, vizinha, clienteDiz },
    chegar: async () => {
      clientes += 1
      const telefone = `5511911${String(110_000 + clientes)}`
      await clienteDiz(telefone, 'oi')
      await clienteDiz(telefone, 'atendente')
      // Waits until the bot's mensagens are sent, so that a test observes only its own.
      const conversa = await ate(async () => {
        const uma = (await dona.listar()).find(({ cliente }) => cliente.telefone === telefone)
        return uma === undefined || uma.mensagens.some(({ estado }) => estado === 'pendente') ? null : uma
      })
      expect(conversa).toMatchObject({ status: 'aguardando', naoLidas: 1 })
      return { id: conversa.id, telefone }
    },
    noTelefone: async (telefone) => {
      const { body } = await dona.pedir('GET', `/simulador/mensagens?telefone=${telefone}`)
      const mensagens: unknown = body['mensagens']
      return Array.isArray(mensagens)
        ? mensagens.filter(({ de }) => de === 'bot').map(({ texto }) => String(texto))
        : []
    },
    close: async () => {
      for (const socket of sockets) socket.disconnect()
      await casa.close()
    },
  }
}

async function conectar(pedir: Pedir): Promise<void> {
  const { body } = await pedir('GET', '/config')
  const config = Object(body['config'])
  const salvo = { ...config, whatsapp: { ...config.whatsapp, conector: 'simulador', clientId: 'loja' } }
  expect((await pedir('PUT', '/config', salvo)).status).toBe(200)
  await ligar(pedir)
}

export async function ligar(pedir: Pedir): Promise<void> {
  expect((await pedir('POST', '/bot/iniciar')).status).toBe(200)
  const status = async () => (await pedir('GET', '/bot/status')).body['status']
  await ate(async () => ['AGUARDANDO_QR', 'CONECTADO'].includes(String(await status())))
  if ((await status()) === 'AGUARDANDO_QR') expect((await pedir('POST', '/simulador/escanear')).status).toBe(200)
  await ate(async () => (await status()) === 'CONECTADO')
}
