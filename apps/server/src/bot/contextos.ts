import * as z from 'zod/mini'
import type { Config } from '@balcao/contract/entities/config'
import type { Produto } from '@balcao/contract/entities/produto'
import { modeloLeMidia } from '@balcao/contract/modelos'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { loadConfig } from '#modules/configuracao/index.ts'
import { loadAviso } from '#modules/lgpd/index.ts'
import type { LerMidia } from '#ports/ai.ts'
import { Lru } from './lru.ts'

export interface Contexto {
  readonly contaId: string
  readonly empresa: string
  readonly fuso: string
  readonly manutencao: boolean
  readonly config: Config
  readonly produtos: readonly Produto[]
  /** Sends images and audio to the AI: the model supports them and the server can read files. */
  readonly iaLeMidia: boolean
  /** Privacy notice of the first greeting. Null when it is off. */
  readonly aviso: { readonly texto: string; readonly versao: number } | null
}

type ContextoDeps = Pick<Deps, 'cofre' | 'settings'> & { readonly lerMidia?: LerMidia }

const CONTAS_LEMBRADAS = 5_000
/** Limits how long a context is outdated when the bus event of another node is lost. */
const VALIDADE_MS = 15_000

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

export async function loadContexto(tx: Tx, deps: ContextoDeps, contaId: string): Promise<Contexto> {
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
  const iaLeMidia = deps.lerMidia !== undefined && modeloLeMidia(config.ia.modeloGemini)
  return { contaId, ...conta, config, produtos: produtos.map(toProduto), iaLeMidia, aviso }
}

function toProduto({ link_checkout, imagem_url, ...resto }: z.output<typeof produtoRowSchema>): Produto {
  return { ...resto, linkCheckout: link_checkout ?? '', imagemUrl: imagem_url }
}

interface Guardado {
  readonly contexto: Promise<Contexto>
  readonly pronto: { valor: Contexto | null }
  readonly lidoEm: number
}

export interface Contextos {
  /** The cached context, or null when it must be loaded. */
  readonly peek: (contaId: string) => Contexto | null
  readonly get: (contaId: string) => Promise<Contexto>
  /**
   * For callers inside a transaction: reads on the same connection, because waiting for a second one could deadlock
   * the pool.
   */
  readonly getEm: (tx: Tx, contaId: string) => Promise<Contexto>
  readonly mudou: (contaId: string) => void
}

export function createContextos(deps: Pick<Deps, 'db'> & ContextoDeps): Contextos {
  const guardados = new Lru<Guardado>(CONTAS_LEMBRADAS)

  const vigente = (contaId: string): Guardado | undefined => {
    const guardado = guardados.get(contaId)
    return guardado !== undefined && performance.now() - guardado.lidoEm < VALIDADE_MS ? guardado : undefined
  }

  const ler = (contaId: string): Guardado => {
    const contexto = deps.db.transaction(contaId, (tx) => loadContexto(tx, deps, contaId))
    const guardado: Guardado = { contexto, pronto: { valor: null }, lidoEm: performance.now() }
    guardados.set(contaId, guardado)
    contexto.then(
      (valor) => (guardado.pronto.valor = valor),
      () => guardados.delete(contaId),
    )
    return guardado
  }

  return {
    peek: (contaId) => vigente(contaId)?.pronto.valor ?? null,
    get: (contaId) => (vigente(contaId) ?? ler(contaId)).contexto,
    getEm: async (tx, contaId) => vigente(contaId)?.pronto.valor ?? loadContexto(tx, deps, contaId),
    mudou: (contaId) => guardados.delete(contaId),
  }
}
