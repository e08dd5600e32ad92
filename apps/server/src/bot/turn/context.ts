import * as z from 'zod/mini'
import type { Config } from '@balcao/contract/entities/config'
import type { Produto } from '@balcao/contract/entities/produto'
import { modeloReadsMidia } from '@balcao/contract/editor-presets'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { loadConfig } from '#modules/configuracao/index.ts'
import { loadAviso } from '#modules/lgpd/index.ts'
import type { ReadMidia } from '#ports/ai.ts'
import { Lru } from '#lib/lru.ts'

export interface AccountContext {
  readonly contaId: string
  readonly empresa: string
  readonly fuso: string
  readonly manutencao: boolean
  readonly config: Config
  readonly produtos: readonly Produto[]
  /** Sends images and audio to the AI: the model supports them and the server can read files. */
  readonly iaReadsMidia: boolean
  /** Privacy notice of the first greeting. Null when it is off. */
  readonly aviso: { readonly texto: string; readonly versao: number } | null
}

type AccountContextDeps = Pick<Deps, 'vault' | 'settings'> & { readonly readMidia?: ReadMidia }

const CONTAS_CACHED = 5_000
/** Limits how long a context is outdated when the bus event of another node is lost. */
const TTL_MS = 15_000

const contaSchema = z.object({ empresa: z.string(), fuso: z.string(), manutencao: z.boolean() })

const produtoRowSchema = z.object({
  id: z.string(),
  nome: z.string(),
  descricao: z.string(),
  preco: z.number(),
  link_checkout: z.nullable(z.string()),
  ativo: z.boolean(),
  ordem: z.int(),
  imagem_url: z.nullable(z.string()),
})

export async function loadAccountContext(tx: Tx, deps: AccountContextDeps, contaId: string): Promise<AccountContext> {
  const { config } = await loadConfig(tx, deps, contaId)
  const [conta] = await tx.rows(contaSchema, 'select empresa, fuso, manutencao from contas where id = $1', [contaId])
  if (conta === undefined) throw new Error('conta not found')
  const produtos = await tx.rows(
    produtoRowSchema,
    `select id, nome, descricao, preco, link_checkout, ativo, ordem, imagem_url from produtos
     where conta_id = $1 and ativo order by ordem, id`,
    [contaId],
  )
  const aviso = await loadAviso(tx, deps, contaId)
  const iaLeMidia = deps.readMidia !== undefined && modeloReadsMidia(config.ia.modeloGemini)
  return { contaId, ...conta, config, produtos: produtos.map(toProduto), iaReadsMidia: iaLeMidia, aviso }
}

function toProduto({ link_checkout, imagem_url, ...rest }: z.output<typeof produtoRowSchema>): Produto {
  return { ...rest, linkCheckout: link_checkout ?? '', imagemUrl: imagem_url }
}

interface CachedContext {
  readonly context: Promise<AccountContext>
  readonly ready: { valor: AccountContext | null }
  readonly readAt: number
}

export interface AccountContexts {
  /** The cached context, or null when it must be loaded. */
  readonly peek: (contaId: string) => AccountContext | null
  readonly get: (contaId: string) => Promise<AccountContext>
  /**
   * For callers inside a transaction: reads on the same connection, because waiting for a second one could deadlock
   * the pool.
   */
  readonly getIn: (tx: Tx, contaId: string) => Promise<AccountContext>
  readonly changed: (contaId: string) => void
}

export function createAccountContexts(deps: Pick<Deps, 'db'> & AccountContextDeps): AccountContexts {
  const stored = new Lru<CachedContext>(CONTAS_CACHED)

  const current = (contaId: string): CachedContext | undefined => {
    const guardado = stored.get(contaId)
    return guardado !== undefined && performance.now() - guardado.readAt < TTL_MS ? guardado : undefined
  }

  const read = (contaId: string): CachedContext => {
    const contexto = deps.db.transaction(contaId, (tx) => loadAccountContext(tx, deps, contaId))
    const guardado: CachedContext = { context: contexto, ready: { valor: null }, readAt: performance.now() }
    stored.set(contaId, guardado)
    contexto.then(
      (value) => (guardado.ready.valor = value),
      () => stored.delete(contaId),
    )
    return guardado
  }

  return {
    peek: (contaId) => current(contaId)?.ready.valor ?? null,
    get: (contaId) => (current(contaId) ?? read(contaId)).context,
    getIn: async (tx, contaId) => current(contaId)?.ready.valor ?? loadAccountContext(tx, deps, contaId),
    changed: (contaId) => stored.delete(contaId),
  }
}
