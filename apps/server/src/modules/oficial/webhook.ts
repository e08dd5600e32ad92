import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { Lru } from '#bot/lru.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { assinaturaConfere, palavraConfere } from './assinatura.ts'
import { type ContaRow, findPorEndereco, insertChegadas } from './repository.ts'
import { CAMINHO_DO_WEBHOOK } from './salvar-oficial.ts'
import { abrir, lugarDaChegada } from './selos.ts'

const paramsSchema = z.object({ endereco: z.string() })
const perguntaSchema = z.object({
  'hub.mode': z.literal('subscribe'),
  'hub.verify_token': z.string().check(z.maxLength(300)),
  // Echoed in the response, so the pattern excludes markup.
  'hub.challenge': z.string().check(z.regex(/^[\w-]{1,200}$/)),
})
const ENDERECO = /^[\w-]{20,100}$/
/** Maximum body size of one delivery by Meta. */
const CORPO_MAXIMO_BYTES = 3 * 1024 * 1024
const JANELA_MS = 2_000
const DE_META = 1_000
const DE_ESTRANHO = 200
const LEMBRADOS = 10_000

/**
 * Meta sends bursts from few IPs, so a known webhook address has its own limit. Requests to unknown addresses are
 * limited per IP.
 */
function ritmoDe(conhecidos: Lru<true>) {
  const daqui = (request: FastifyRequest): string | null => {
    const { data } = paramsSchema.safeParse(request.params)
    return data !== undefined && conhecidos.get(data.endereco) === true ? data.endereco : null
  }
  return {
    timeWindow: JANELA_MS,
    max: (request: FastifyRequest) => (daqui(request) === null ? DE_ESTRANHO : DE_META),
    keyGenerator: (request: FastifyRequest) => daqui(request) ?? `webhooks ${request.ip}`,
  }
}

/**
 * Receives Meta's webhooks. A signed delivery is stored before Meta gets a 200. Unknown addresses get 404; an
 * invalid signature is refused before the body is parsed.
 */
export async function receberAvisos(http: FastifyInstance, deps: Deps): Promise<void> {
  const conhecidos = new Lru<true>(LEMBRADOS)
  const contaDe = async (request: FastifyRequest): Promise<ContaRow> => {
    const conta = await acharConta(deps, request)
    conhecidos.set(conta.endereco, true)
    return conta
  }
  await http.register(async (rotas) => {
    rotas.removeAllContentTypeParsers()
    // The signature covers the raw bytes.
    rotas.addContentTypeParser('*', { parseAs: 'buffer' }, (_pedido, corpo, pronto) => pronto(null, corpo))
    const url = `${CAMINHO_DO_WEBHOOK}/:endereco`
    const config = { erroPadrao: 'Erro ao receber aviso', rateLimit: ritmoDe(conhecidos) }

    rotas.get(url, { config }, async (request, reply) => {
      const conta = await contaDe(request)
      const pergunta = perguntaSchema.safeParse(request.query)
      const certa = abrir(deps.cofre, conta.conta_id, 'verificacao', conta.verificacao)
      if (!pergunta.success || !palavraConfere(pergunta.data['hub.verify_token'], certa)) {
        throw new AppError('semPermissao')
      }
      return reply.type('text/plain; charset=utf-8').send(pergunta.data['hub.challenge'])
    })

    rotas.post(url, { config, bodyLimit: CORPO_MAXIMO_BYTES }, async (request) => {
      const conta = await contaDe(request)
      const corpo = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const segredo = abrir(deps.cofre, conta.conta_id, 'segredo', conta.segredo)
      const cabecalho = request.headers['x-hub-signature-256']
      if (!assinaturaConfere(corpo, cabecalho?.toString(), segredo)) throw new AppError('semPermissao')
      await guardar(deps, conta, lerJson(corpo))
      return { sucesso: true }
    })
  })
}

async function acharConta({ db }: Pick<Deps, 'db'>, request: FastifyRequest): Promise<ContaRow> {
  const { endereco } = paramsSchema.parse(request.params)
  const conta = ENDERECO.test(endereco) ? await db.read('*', (tx) => findPorEndereco(tx, endereco)) : null
  if (conta === null) throw new AppError('naoEncontrado')
  return conta
}

function lerJson(corpo: Buffer): unknown {
  try {
    return JSON.parse(corpo.toString('utf8'))
  } catch {
    throw new AppError('dadosInvalidos')
  }
}

async function guardar({ db, cofre, oficial }: Deps, conta: ContaRow, aviso: unknown): Promise<void> {
  const { conta_id: contaId, telefone_id: telefoneId } = conta
  const chegadas = telefoneId === '' ? [] : oficial.lerAviso(aviso, telefoneId)
  if (chegadas.length === 0) return
  const seladas = chegadas.map(({ id, valor }) => ({ id, valor: cofre.seal(valor, lugarDaChegada(contaId, id)) }))
  const couberam = await db.transaction(contaId, (tx) => insertChegadas(tx, contaId, seladas))
  if (!couberam) throw new AppError('servidorOcupado')
  oficial.acordar(contaId)
}
