import type { NotaConversa } from '@balcao/contract/entities/nota'
import { criarNotaRoute, notasRoute } from '@balcao/contract/routes/notas'
import type { ConversaReader } from '@balcao/contract/conversa-access'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { bind, type BoundRoute } from '#http/handle.ts'
import { cutPage, type Page, pageOf } from '#http/page.ts'
import { findServed } from '#modules/conversas/index.ts'
import { createNota, type NotaDeps } from './create-nota.ts'
import { listNotas } from './repository.ts'

export function notasRoutes(deps: NotaDeps & Pick<Deps, 'db'>): BoundRoute[] {
  return [
    bind(notasRoute, ({ sessao, params, query }) => {
      const page = pageOf(query, query.limite)
      const { contaId } = sessao
      return deps.db.read(contaId, (tx) => readNotas(tx, { contaId, conversaId: params.id, reader: sessao }, page))
    }),
    bind(criarNotaRoute, async ({ sessao, params, body }) => ({
      nota: await createNota(deps, sessao, { conversaId: params.id, ...body }),
    })),
  ]
}

interface NotasRef {
  readonly contaId: string
  readonly conversaId: string
  readonly reader: ConversaReader
}

async function readNotas(
  tx: Tx,
  { contaId, conversaId, reader }: NotasRef,
  page: Page,
): Promise<{ notas: NotaConversa[]; proximoCursor: string | null }> {
  if ((await findServed(tx, contaId, conversaId, reader)) === null) throw new AppError('naoEncontrado')
  const { before, limite } = page
  const read = await listNotas(tx, { contaId, conversaId, before, max: limite + 1 })
  const { itens, proximoCursor = null } = cutPage(read, page)
  return { notas: itens, proximoCursor }
}
