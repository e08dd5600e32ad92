import * as z from 'zod/mini'
import type { Config } from '@balcao/contract/entities/config'
import { createIa } from '#adapters/ia/ia.ts'
import { createTestApp, type SendRequest, type TestApp, waitUntil } from '#test/app.ts'
import { chatOf, givenConta, saveConfig, sendAsCustomer, startBot } from '#test/builders.ts'
import { createFakeGemini, type FakeGemini, VALID_KEY } from './fake-gemini.ts'

export interface IaApp {
  readonly app: TestApp
  readonly fake: FakeGemini
  readonly request: SendRequest
  /** Saves the configuracao with the AI on and a valid key, changed by `change`. */
  readonly saveConfig: (change?: (config: Config) => Config) => Promise<void>
  readonly newCustomer: (name?: string) => SimulatedCustomer
  readonly loginOtherConta: () => Promise<SendRequest>
  readonly close: () => Promise<void>
}

export interface SimulatedCustomer {
  readonly telefone: string
  readonly says: (texto: string) => Promise<void>
  readonly shows: (image: File, texto?: string) => Promise<void>
  /** Texts of the bot, without the presentation of the AI. */
  readonly received: () => Promise<string[]>
  /** Texts of the bot, once the last one matches. */
  readonly waitsFor: (last: string | RegExp) => Promise<string[]>
}

export async function createIaApp(): Promise<IaApp> {
  const fake = await createFakeGemini()
  const ai = createIa({ urls: { gemini: fake.url }, log: { warn: () => undefined }, backoffMs: 1 })
  const app = await createTestApp({ ai, geminiUrl: fake.url })
  const configure: IaApp['saveConfig'] = (change = (config) => config) =>
    saveConfig(app, (config) => change(testConfig(config)))
  await configure()
  await startBot(app)
  let phones = 0
  return {
    app,
    fake,
    request: app.request,
    saveConfig: configure,
    newCustomer: (nome = 'Ana') => {
      phones += 1
      return simulatedCustomer(app, `551198${String(1_000_000 + phones)}`, nome)
    },
    loginOtherConta: async () => (await givenConta(app, 'Outra')).request,
    close: async () => {
      await app.close()
      await fake.close()
    },
  }
}

/** Leaves before the first answer of each conversation. */
export const APRESENTACAO = 'SOU A IA'

function simulatedCustomer(app: TestApp, telefone: string, nome: string): SimulatedCustomer {
  const send = async (fields: Readonly<Record<string, string | Blob>>): Promise<void> => {
    const { status, body } = await sendAsCustomer(app, telefone, { nome, ...fields })
    if (status !== 202) throw new Error(`message not accepted: ${status} ${JSON.stringify(body)}`)
  }
  const received = async (): Promise<string[]> =>
    (await chatOf(app, telefone))
      .filter(({ de, texto }) => de === 'bot' && texto !== APRESENTACAO)
      .map(({ texto }) => texto)
  return {
    telefone,
    received,
    says: (texto) => send({ texto }),
    shows: (imagem, texto = '') => send({ texto, imagem }),
    waitsFor: (last) =>
      waitUntil(async () => {
        const texts = await received()
        const said = texts.at(-1) ?? ''
        return (typeof last === 'string' ? said === last : last.test(said)) ? texts : null
      }),
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
      apresentacao: APRESENTACAO,
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

export async function mensagemIdOf(request: SendRequest, text: string): Promise<string> {
  const { body } = await request('GET', '/mensagens?limite=200')
  const found = simulatedMensagensSchema.parse(body).mensagens.find((mensagem) => mensagem.conteudo === text)
  if (found === undefined) throw new Error(`no mensagem with the text ${text}`)
  return found.id
}
