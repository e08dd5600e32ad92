import { createHash, createHmac, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import * as z from 'zod/mini'

/** A fake Meta API that validates paths, tokens and shapes like the real one. */

const mensagemSchema = z.strictObject({
  messaging_product: z.literal('whatsapp'),
  recipient_type: z.literal('individual'),
  to: z.optional(z.string().check(z.regex(/^\d+$/))),
  recipient: z.optional(z.string()),
  type: z.enum(['text', 'image', 'audio', 'document', 'template', 'reaction']),
  context: z.optional(z.strictObject({ message_id: z.string() })),
  reaction: z.optional(z.strictObject({ message_id: z.string(), emoji: z.string() })),
  text: z.optional(z.strictObject({ body: z.string().check(z.maxLength(4096)), preview_url: z.boolean() })),
  image: z.optional(z.strictObject({ id: z.string(), caption: z.optional(z.string().check(z.maxLength(1024))) })),
  document: z.optional(z.strictObject({ id: z.string(), caption: z.optional(z.string()), filename: z.string() })),
  audio: z.optional(z.strictObject({ id: z.string() })),
  template: z.optional(
    z.strictObject({
      name: z.string(),
      language: z.strictObject({ code: z.string() }),
      components: z.array(z.unknown()),
    }),
  ),
  biz_opaque_callback_data: z.string().check(z.maxLength(512)),
})
export type MensagemNaMeta = z.output<typeof mensagemSchema> & { readonly wamid: string }

const leituraSchema = z.strictObject({
  messaging_product: z.literal('whatsapp'),
  status: z.literal('read'),
  message_id: z.string(),
  typing_indicator: z.optional(z.strictObject({ type: z.literal('text') })),
})
export type Leitura = z.output<typeof leituraSchema>

/** Outcome of the next message request. `some` accepts it and drops the connection. */
export type Tropeco =
  | { readonly status: number; readonly codigo?: number; readonly espera?: string }
  | 'some'
  | 'desliga'

export interface ArquivoNaMeta {
  readonly bytes: Buffer
  readonly mime: string
}

export interface MetaFalsa {
  readonly url: string
  readonly numero: { readonly telefoneId: string; readonly contaWhatsappId: string }
  readonly segredo: string
  /** The accepted token; null rejects all. */
  token: string | null
  /** The server stops listening until `voltar`. */
  readonly sair: () => Promise<void>
  readonly voltar: () => Promise<void>
  readonly mensagens: MensagemNaMeta[]
  readonly leituras: Leitura[]
  readonly tentativas: string[]
  readonly arquivos: Map<string, ArquivoNaMeta>
  readonly modelos: unknown[]
  readonly assinada: () => boolean
  /** Number of subscription requests that will fail. */
  assinaturasPerdidas: number
  readonly tropecar: (...tropecos: Tropeco[]) => void
  falhasDeArquivo: number
  /** Holds all downloads until the returned function is called. */
  readonly segurarArquivos: () => () => void
  readonly arquivosAoMesmoTempo: () => number
  tropecoDoNumero: { readonly status: number; readonly codigo: number } | null
  readonly perguntas: () => number
  enderecoDeArquivos: string | null
  readonly close: () => Promise<void>
}

const VERSAO = '/v24.0/'

export async function createMetaFalsa(): Promise<MetaFalsa> {
  const tropecos: Tropeco[] = []
  let assinada = false
  let perguntas = 0
  let soltos: Promise<void> = Promise.resolve()
  let pedidos = 0
  let maisPedidos = 0
  const numero = { telefoneId: '106540352242922', contaWhatsappId: '102290129340398' }
  const servidor = createServer((pedido, resposta) => {
    responder(pedido, resposta).catch((error: unknown) => {
      resposta.writeHead(500).end(error instanceof Error ? error.message : 'erro')
    })
  })

  const responder = async (pedido: IncomingMessage, resposta: ServerResponse): Promise<void> => {
    const corpo = await lerCorpo(pedido)
    const url = new URL(pedido.url ?? '/', meta.url)
    if (meta.token === null || pedido.headers.authorization !== `Bearer ${meta.token}`) {
      return falhar(resposta, 401, 190)
    }
    if (url.pathname.startsWith('/arquivos/')) return entregar(resposta, url.pathname.slice('/arquivos/'.length))
    if (!url.pathname.startsWith(VERSAO)) return falhar(resposta, 404, 2500)
    const caminho = `${pedido.method} ${url.pathname.slice(VERSAO.length)}`
    switch (caminho) {
      case `GET ${numero.telefoneId}`:
        perguntas += 1
        if (meta.tropecoDoNumero !== null) {
          return falhar(resposta, meta.tropecoDoNumero.status, meta.tropecoDoNumero.codigo)
        }
        return responderJson(resposta, { display_phone_number: '+55 11 99000-0001', verified_name: 'Loja da Ana' })
      case `POST ${numero.contaWhatsappId}/subscribed_apps`:
      case `DELETE ${numero.contaWhatsappId}/subscribed_apps`:
        assinada = pedido.method === 'POST' && meta.assinaturasPerdidas === 0
        if (pedido.method === 'POST' && !assinada) {
          meta.assinaturasPerdidas -= 1
          return falhar(resposta, 500, 2)
        }
        return responderJson(resposta, { success: true })
      case `GET ${numero.contaWhatsappId}/message_templates`:
        if (url.searchParams.get('status') !== 'APPROVED') return falhar(resposta, 400, 100)
        return responderJson(resposta, { data: meta.modelos, paging: {} })
      case `POST ${numero.telefoneId}/messages`:
        return receber(pedido, resposta, JSON.parse(corpo.toString()))
      case `POST ${numero.telefoneId}/media`:
        return guardar(resposta, pedido, corpo)
      default:
        return descrever(resposta, url)
    }
  }

  const receber = (pedido: IncomingMessage, resposta: ServerResponse, corpo: unknown): void => {
    const leitura = leituraSchema.safeParse(corpo)
    if (leitura.success) {
      meta.leituras.push(leitura.data)
      return responderJson(resposta, { success: true })
    }
    const mensagem = mensagemSchema.safeParse(corpo)
    if (!mensagem.success || (mensagem.data.to === undefined) === (mensagem.data.recipient === undefined)) {
      return falhar(resposta, 400, 131009)
    }
    const tropeco = tropecos.shift()
    meta.tentativas.push(mensagem.data.text?.body ?? mensagem.data.type)
    if (tropeco === 'desliga') return void pedido.socket.destroy()
    if (typeof tropeco === 'object') return falhar(resposta, tropeco.status, tropeco.codigo, tropeco.espera)
    const wamid = `wamid.${randomUUID()}`
    meta.mensagens.push({ ...mensagem.data, wamid })
    if (tropeco === 'some') return void pedido.socket.destroy()
    return responderJson(resposta, { messaging_product: 'whatsapp', contacts: [], messages: [{ id: wamid }] })
  }

  const guardar = async (resposta: ServerResponse, pedido: IncomingMessage, corpo: Buffer): Promise<void> => {
    const tipo = pedido.headers['content-type'] ?? ''
    const formulario = await new Response(Uint8Array.from(corpo), { headers: { 'content-type': tipo } }).formData()
    const arquivo = formulario.get('file')
    const mime = formulario.get('type')
    const certo = formulario.get('messaging_product') === 'whatsapp' && arquivo instanceof File
    if (!certo || typeof mime !== 'string') return falhar(resposta, 400, 100)
    const id = String(700_000 + meta.arquivos.size)
    meta.arquivos.set(id, { bytes: Buffer.from(await arquivo.arrayBuffer()), mime })
    return responderJson(resposta, { id })
  }

  const descrever = (resposta: ServerResponse, url: URL): void => {
    const id = url.pathname.slice(VERSAO.length)
    const arquivo = meta.arquivos.get(id)
    if (arquivo === undefined || url.searchParams.get('phone_number_id') !== numero.telefoneId) {
      return falhar(resposta, 404, 100)
    }
    const { bytes, mime } = arquivo
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const endereco = `${meta.enderecoDeArquivos ?? meta.url}/arquivos/${id}`
    return responderJson(resposta, { id, url: endereco, mime_type: mime, sha256, file_size: String(bytes.length) })
  }

  const entregar = async (resposta: ServerResponse, id: string): Promise<void> => {
    const arquivo = meta.arquivos.get(id)
    pedidos += 1
    maisPedidos = Math.max(maisPedidos, pedidos)
    await soltos
    pedidos -= 1
    if (meta.falhasDeArquivo > 0) {
      meta.falhasDeArquivo -= 1
      return void resposta.writeHead(503).end()
    }
    if (arquivo === undefined) return void resposta.writeHead(404).end()
    resposta.writeHead(200, { 'content-type': arquivo.mime }).end(arquivo.bytes)
  }

  let porta = 0
  const voltar = (): Promise<void> =>
    new Promise((resolve) => {
      servidor.listen(porta, '127.0.0.1', () => {
        const endereco = servidor.address()
        porta = typeof endereco === 'object' && endereco !== null ? endereco.port : 0
        resolve()
      })
    })
  const sair = async (): Promise<void> => {
    const saiu = new Promise((resolve) => servidor.close(resolve))
    servidor.closeAllConnections()
    await saiu
  }
  await voltar()
  const meta: MetaFalsa = {
    url: `http://127.0.0.1:${porta}`,
    numero,
    segredo: 'segredo-do-aplicativo',
    token: 'EAAG-token-valido-1234',
    sair,
    voltar,
    enderecoDeArquivos: null,
    mensagens: [],
    leituras: [],
    tentativas: [],
    arquivos: new Map(),
    falhasDeArquivo: 0,
    assinaturasPerdidas: 0,
    tropecoDoNumero: null,
    segurarArquivos: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      soltos = promise
      return resolve
    },
    arquivosAoMesmoTempo: () => maisPedidos,
    perguntas: () => perguntas,
    modelos: [],
    assinada: () => assinada,
    tropecar: (...novos) => void tropecos.push(...novos),
    close: sair,
  }
  return meta
}

async function lerCorpo(pedido: IncomingMessage): Promise<Buffer> {
  const partes: Buffer[] = []
  for await (const parte of pedido) partes.push(Buffer.from(parte))
  return Buffer.concat(partes)
}

function responderJson(resposta: ServerResponse, corpo: object): void {
  resposta.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(corpo))
}

/** Without a code the response looks like a gateway's. */
function falhar(resposta: ServerResponse, status: number, codigo?: number, espera?: string): void {
  resposta.writeHead(status, {
    'content-type': codigo === undefined ? 'text/html' : 'application/json',
    ...(espera === undefined ? {} : { 'retry-after': espera }),
  })
  resposta.end(codigo === undefined ? '<html>' : JSON.stringify({ error: { code: codigo, message: 'no' } }))
}

export function aviso({ numero }: MetaFalsa, valor: object, telefoneId = numero.telefoneId): string {
  const metadata = { display_phone_number: '5511990000001', phone_number_id: telefoneId }
  const value = { messaging_product: 'whatsapp', metadata, ...valor }
  return JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: numero.contaWhatsappId, changes: [{ field: 'messages', value }] }],
  })
}

/** Delivers the signed body and returns the HTTP status. */
export async function entregarAviso(url: string, corpo: string, segredo: string): Promise<number> {
  const assinatura = createHmac('sha256', segredo).update(corpo).digest('hex')
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${assinatura}` }
  const resposta = await fetch(url, { method: 'POST', headers, body: corpo })
  await resposta.arrayBuffer()
  return resposta.status
}
