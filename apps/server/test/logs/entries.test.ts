import { afterAll, beforeAll, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { configSchema } from '@balcao/contract/entities/config'
import { logsRoute } from '@balcao/contract/routes/registros'
import { type TestApp, createTestApp, waitUntil } from '#test/app.ts'

/** One day of a conta as its log shows it. */

const CLIENTE = { nome: 'Marina Duarte', telefone: '5511912345678' }
const configRespostaSchema = z.object({ config: z.looseObject(configSchema.shape) })

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

async function lidos(): Promise<{ tipo: string; mensagem: string; detalhes?: unknown }[]> {
  const { body } = await app.request('GET', '/logs')
  return logsRoute.response
    .parse(body)
    .logs.map(({ id: _id, timestamp: _quando, ...log }) => log)
    .toReversed()
}
const status = async (): Promise<unknown> => (await app.request('GET', '/bot/status')).body['status']
const diz = (texto: string) => app.request('POST', '/simulador/mensagens', { ...CLIENTE, texto })

it('logs each event in one sentence and names no customer', async () => {
  const { config } = configRespostaSchema.parse((await app.request('GET', '/config')).body)
  await app.request('PUT', '/config', {
    ...config,
    whatsapp: { ...config.whatsapp, clientId: 'loja' },
    menu: { ...config.menu, digitando: false },
  })
  await app.request('POST', '/bot/iniciar')
  await waitUntil(async () => (await status()) === 'AGUARDANDO_QR')
  await app.request('POST', '/simulador/escanear')
  await waitUntil(async () => (await status()) === 'CONECTADO')
  await diz('oi')
  await diz('2')
  await app.idle()
  const { body } = await app.request('GET', '/atendimento/conversas')
  const [conversa] = z.object({ conversas: z.array(z.looseObject({ id: z.string() })) }).parse(body).conversas
  await app.request('POST', `/atendimento/conversas/${conversa?.id}/finalizar`)
  await diz('5')
  await app.idle()
  await app.request('DELETE', '/conversas')
  await app.request('POST', '/bot/parar')

  const logs = await lidos()
  const quem = z.object({ usuario: z.object({ nome: z.string() }) }).parse((await app.request('GET', '/auth/eu')).body)
    .usuario.nome
  expect(logs.map(({ tipo, mensagem }) => `${tipo}: ${mensagem}`)).toEqual([
    `user: ${quem} salvou a configuração (agora é a versão 2). As próximas mensagens já seguem a mudança.`,
    'info: Conexão loja: Bot iniciando. Em instantes ele se conecta ou mostra o QR Code na aba Geral.',
    'info: Conexão loja: Aguardando QR Code. Abra a aba Geral e escaneie o código com o celular da empresa.',
    'success: Conexão loja: Bot conectado! Celular: Simulador.',
    'bot: Um cliente espera para falar com uma pessoa. Assuma a conversa na aba Atendimento.',
    'bot: Um cliente avaliou o atendimento com nota 5.',
    `user: ${quem} apagou 1 conversa encerrada ou só com o bot. As que esperam ou falam com uma pessoa continuam.`,
    `user: Conexão loja: Bot parado por ${quem}. Os clientes ficam sem resposta automática até ele ser iniciado de novo.`,
  ])
  expect(logs[4]?.detalhes).toEqual({ setor: 'geral', protocolo: expect.stringMatching(/^\d{8}-\d{4}$/) })
  expect(JSON.stringify(logs)).not.toMatch(/Marina|91234/)
})
