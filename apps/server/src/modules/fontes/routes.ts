import { maskPersonalData } from '@balcao/engine/ia/masking'
import {
  buscarTrechosRoute,
  criarFonteRoute,
  excluirFonteRoute,
  fontesRoute,
  relerFonteRoute,
  trechosFonteRoute,
} from '@balcao/contract/routes/ia-fontes'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { type BoundRoute, bind } from '#http/handle.ts'
import { cutPage, pageOf } from '#http/page.ts'
import { loadConfig } from '#modules/configuracao/index.ts'
import { announceFonte } from './announce.ts'
import { searchFontes } from './busca/search.ts'
import { createFonte, type CreateFonteDeps } from './create-fonte.ts'
import { embeddingAccessOf } from './embedding-access.ts'
import { askToRead, deleteFonte, findFonte, type FonteKey, listFontes } from './repository.ts'
import { listPieces } from './trechos.ts'

type FontesDeps = CreateFonteDeps & Pick<Deps, 'vault' | 'embeddings'>

interface FontesRouteOptions {
  /** Deletes the kept answers that quote a source. */
  readonly deleteRespostas: (tx: Tx, key: FonteKey) => Promise<unknown>
}

export function fontesRoutes(deps: FontesDeps, { deleteRespostas }: FontesRouteOptions): BoundRoute[] {
  const { db, clock } = deps
  return [
    bind(fontesRoute, ({ sessao: { contaId }, query }) => {
      const page = pageOf(query, query.limite)
      return db.read(contaId, async (tx) => {
        const { itens: fontes, proximoCursor = null } = cutPage(await listFontes(tx, contaId, page), page)
        return { fontes, proximoCursor }
      })
    }),
    bind(criarFonteRoute, async ({ sessao: { contaId }, request }) => ({
      fonte: await createFonte(deps, contaId, request),
    })),
    bind(relerFonteRoute, ({ sessao: { contaId }, params: { id } }) =>
      db.transaction(contaId, async (tx) => {
        const fonte = await askToRead(tx, { contaId, id, now: clock.now() })
        if (fonte === null) throw new AppError('naoEncontrado')
        announceFonte(tx, deps, contaId, fonte)
        tx.afterCommit(deps.fontesQueued)
        return { fonte }
      }),
    ),
    bind(excluirFonteRoute, ({ sessao: { contaId }, params: { id } }) =>
      db.transaction(contaId, async (tx) => {
        const fonte = await deleteFonte(tx, { contaId, id })
        if (fonte === null) throw new AppError('naoEncontrado')
        await deleteRespostas(tx, { contaId, id })
        announceFonte(tx, deps, contaId, fonte, { removida: true })
      }),
    ),
    bind(trechosFonteRoute, ({ sessao: { contaId }, params: { id }, query: { limite, cursor } }) => {
      const after = cursor === undefined ? 0 : Number(cursor)
      if (!Number.isInteger(after) || after < 0 || after > 1_000_000) throw new AppError('dadosInvalidos')
      return db.read(contaId, async (tx) => {
        if ((await findFonte(tx, { contaId, id })) === null) throw new AppError('naoEncontrado')
        const rows = await listPieces(tx, { contaId, id, after, max: limite + 1 })
        const trechos = rows.slice(0, limite)
        return { trechos, proximoCursor: rows.length > limite ? String(trechos.at(-1)?.ordem) : null }
      })
    }),
    bind(buscarTrechosRoute, async ({ sessao: { contaId }, body: { pergunta } }) => {
      const { config } = await db.read(contaId, (tx) => loadConfig(tx, deps, contaId))
      const question = { contaId, pergunta: maskPersonalData(pergunta), access: embeddingAccessOf(config) }
      return { trechos: await searchFontes(deps, question) }
    }),
  ]
}
