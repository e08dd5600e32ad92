import { mkdtemp, rm } from 'node:fs/promises'
import * as z from 'zod/mini'
import type { Config } from '@balcao/contract/entities/config'
import { configRoute } from '@balcao/contract/routes/config'
import { mensagensSimuladasRoute } from '@balcao/contract/routes/simulador'
import { createGemini } from '#adapters/gemini/gemini.ts'
import { loginWithToken, type TestServer, createTestServer, type TestRequest } from '#test/bot/test-server.ts'
import { waitUntil } from '#test/bot/test-runtime.ts'
import { VALID_KEY, createFakeGemini, type FakeGemini } from './fake-gemini.ts'

export interface IaApp {
  readonly app: TestServer
  readonly fake: FakeGemini
  readonly request: TestRequest
  /** Saves the configuracao with the AI on and a valid key, changed by `mudar`. */
  readonly saveConfig: (change?: (config: Config) => Config) => Promise<void>
  readonly newCustomer: (name?: string) => SimulatedCustomer
  readonly loginOtherConta: () => Promise<TestRequest>
  readonly close: () => Promise<void>
}

export interface SimulatedCustomer {
  readonly telefone: string
  readonly says: (texto: string) => Promise<void>
  readonly shows: (image: File, texto?: string) => Promise<void>
  readonly received: () => Promise<string[]>
  /** Texts of the bot, once the last one matches. */
  readonly waitsFor: (last: string | RegExp) => Promise<string[]>
}

export async function createIaApp(): Promise<IaApp> {
  const falso = await createFakeGemini()
  const ai = createGemini({ baseUrl: falso.url, log: { warn: () => undefined }, backoffMs: 1 })
  const arquivosDir = await mkdtemp('/tmp/balcao-ia-')
  const casa = await createTestServer({ ai, arquivosDir })
  const { request } = casa
  let telefones = 0
  let contas = 0

  const configure: IaApp['saveConfig'] = async (change = (config) => config) => {
    const { config } = configRoute.response.parse((await request('GET', '/config')).body)
    const { status, body } = await request('PUT', '/config', change(testConfig(config)))
    if (status !== 200) throw new Error(JSON.stringify(body))
  }

  const cliente: IaApp['newCustomer'] = (nome = 'Ana') => {
    telefones += 1
    const telefone = `551198${String(1_000_000 + telefones)}`
    const ouviu = async (): Promise<string[]> => {
      const { body } = await request('GET', `/simulador/mensagens?telefone=${telefone}`)
      const { mensagens } = mensagensSimuladasRoute.response.parse(body)
      return mensagens.filter(({ de }) => de === 'bot').map(({ texto }) => texto)
    }
    return {
      telefone,
      received: ouviu,
      says: async (texto) => {
        const { status } = await request('POST', '/simulador/mensagens', { telefone, nome, texto })
        if (status !== 202) throw new Error(`message not accepted: ${status}`)
      },
      shows: async (image, texto = '') => {
        const form = new FormData()
        for (const [field, value] of Object.entries({ telefone, nome, texto })) form.set(field, value)
        form.set('imagem', image)
        const { status, body } = await request('POST', '/simulador/mensagens', form)
        if (status !== 202) throw new Error(`message not accepted: ${status} ${JSON.stringify(body)}`)
      },
      waitsFor: (last) =>
        waitUntil(async () => {
          const everything = await ouviu()
          const said = everything.at(-1) ?? ''
          return (typeof last === 'string' ? said === last : last.test(said)) ? everything : null
        }),
    }
  }

  await configure()
  await request('POST', '/bot/iniciar')
  await waitUntil(async () => (await request('POST', '/simulador/escanear')).status === 200)
  await waitUntil(async () => (await request('GET', '/bot/status')).body['status'] === 'CONECTADO')
  return {
    app: casa,
    fake: falso,
    request,
    saveConfig: configure,
    newCustomer: cliente,
    loginOtherConta: async () => {
      contas += 1
      const access = { email: `outra${contas}@loja.test`, senha: 'senha-da-outra' }
      await request('POST', '/admin/usuarios', { ...access, nome: 'Outra', telefone: '', empresa: 'Outra loja' })
      return (await loginWithToken(casa.url, access)).pedir
    },
    close: async () => {
      await casa.close()
      await falso.close()
      await rm(arquivosDir, { recursive: true, force: true })
    },
  }
}

function testConfig(config: Config): Config {
  const { ia, menu } = config
  return {
    ...config,
    whatsapp: { ...config.whatsapp, clientId: 'loja' },
    gemini: { apiKey: VALID_KEY },
    ia: {
      ...ia,
      ativa: true,
      apiKey: VALID_KEY,
      esperaSegundos: 0,
      promptTreinamento: 'Vendemos canecas.',
      respostasPredefinidas: { ...ia.respostasPredefinidas, naoEntendi: 'NAO ENTENDI', transferirHumano: 'JA CHAMO' },
    },
    menu: {
      ...menu,
      menuPrincipal: 'MENU\n1 - Horários\n2 - IA',
      opcoes: [
        { numero: '1', titulo: 'Horários', tipo: 'mensagem', resposta: 'HORARIOS' },
        { numero: '2', titulo: 'Tirar uma dúvida', tipo: 'ia', resposta: 'PODE PERGUNTAR' },
      ],
      mensagens: { ...menu.mensagens, boasVindas: 'OLA' },
      digitando: false,
    },
  }
}

const simulatedMensagensSchema = z.object({
  mensagens: z.array(z.looseObject({ id: z.string(), origem: z.string(), conteudo: z.string() })),
})

export async function mensagemIdOf(request: TestRequest, text: string): Promise<string> {
  const { body } = await request('GET', '/mensagens?limite=200')
  const found = simulatedMensagensSchema.parse(body).mensagens.find((mensagem) => mensagem.conteudo === text)
  if (found === undefined) throw new Error(`no mensagem with the text ${text}`)
  return found.id
}
