import { isDeepStrictEqual } from 'node:util'
import { type Prova, type ProvaPatch, PROVAS_MAX } from '@balcao/contract/entities/prova'
import { atualizarProvaRoute, criarProvaRoute, excluirProvaRoute, provasRoute } from '@balcao/contract/routes/ia-provas'
import { maskPersonalData } from '@balcao/engine/ia/masking'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { bind, type BoundRoute } from '#http/handle.ts'
import { isUuid } from '#lib/text.ts'
import {
  countProvas,
  deleteProva,
  insertProva,
  listProvaRows,
  lockProva,
  lockProvas,
  type ProvaRow,
  setObrigatoria,
  toProva,
  updateProva,
} from './repository.ts'

export function provasRoutes({ db, ids }: Pick<Deps, 'db' | 'ids'>): BoundRoute[] {
  return [
    bind(provasRoute, async ({ sessao: { contaId } }) => ({
      provas: (await db.read(contaId, (tx) => listProvaRows(tx, { contaId }))).map(toProva),
      proximoCursor: null,
    })),
    bind(criarProvaRoute, async ({ sessao: { contaId }, body }) => {
      const { origem } = body
      // A customer wrote it.
      const pergunta = origem === 'conversa' ? maskPersonalData(body.pergunta) : body.pergunta
      const prova: Prova = { id: ids.uuid(), ...body, pergunta }
      await db.transaction(contaId, async (tx) => {
        await lockProvas(tx, { contaId })
        if ((await countProvas(tx, { contaId })) >= PROVAS_MAX) throw tooMany()
        await insertProva(tx, { contaId, ...body, pergunta, id: prova.id, transfere: body.transfere ?? null })
      })
      return { prova }
    }),
    bind(atualizarProvaRoute, async ({ sessao: { contaId }, params, body }) => ({
      prova: toProva(await db.transaction(contaId, (tx) => changeProva(tx, contaId, params.id, body))),
    })),
    bind(excluirProvaRoute, async ({ sessao: { contaId }, params: { id } }) => {
      const deleted = isUuid(id) ? await db.transaction(contaId, (tx) => deleteProva(tx, { contaId, id })) : 0
      if (deleted === 0) throw new AppError('naoEncontrado')
    }),
  ]
}

function tooMany(): AppError {
  const erro = `A prova tem até ${PROVAS_MAX} perguntas. Exclua uma para criar outra.`
  return new AppError('limiteDeItens', { erro, usado: PROVAS_MAX, limite: PROVAS_MAX })
}

async function changeProva(tx: Tx, contaId: string, id: string, patch: ProvaPatch): Promise<ProvaRow> {
  const row = isUuid(id) ? await lockProva(tx, { contaId, id }) : null
  if (row === null) throw new AppError('naoEncontrado')
  const { pergunta, contem, naoContem, transfere, obrigatoria } = row
  const before = { pergunta, contem, naoContem, transfere }
  const after = {
    pergunta: patch.pergunta ?? pergunta,
    contem: patch.contem ?? contem,
    naoContem: patch.naoContem ?? naoContem,
    transfere: patch.transfere === undefined ? transfere : patch.transfere,
  }
  const must = { obrigatoria: patch.obrigatoria ?? obrigatoria }
  if (isDeepStrictEqual(before, after)) {
    await setObrigatoria(tx, { contaId, id, ...must })
    return { ...row, ...must }
  }
  await updateProva(tx, { contaId, id, ...after, ...must })
  return { ...row, ...after, ...must, resultado: null, resultadoEm: null }
}
