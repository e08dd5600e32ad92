import {
  atualizarLinhaRoute,
  configDaLinhaRoute,
  criarLinhaRoute,
  excluirLinhaRoute,
  linhaRoute,
  linhasRoute,
  salvarConfigDaLinhaRoute,
} from '@balcao/contract/routes/linhas'
import { type BoundRoute, bind } from '#http/handle.ts'
import { readLineConfig, saveLineConfig } from '#modules/configuracao/index.ts'
import { type DeleteLinhaDeps, deleteLinha } from './delete-linha.ts'
import { readLine, readLines } from './linhas.ts'
import { changeLinha, createLinha } from './save-linha.ts'

export function linhasRoutes(deps: DeleteLinhaDeps): BoundRoute[] {
  const { db } = deps
  return [
    bind(linhasRoute, async ({ sessao: { contaId } }) => ({
      linhas: await db.transaction(contaId, (tx) => readLines(tx, deps, contaId)),
    })),
    bind(linhaRoute, async ({ sessao: { contaId }, params }) => ({
      linha: await db.transaction(contaId, (tx) => readLine(tx, deps, contaId, params.id)),
    })),
    bind(criarLinhaRoute, async ({ sessao, body }) => ({ linha: await createLinha(deps, sessao, body) })),
    bind(atualizarLinhaRoute, async ({ sessao, params, body }) => ({
      linha: await changeLinha(deps, sessao, params.id, body),
    })),
    bind(excluirLinhaRoute, ({ sessao, params, query }) =>
      deleteLinha(deps, sessao, params.id, { encerrar: query.encerrar === 'true' }),
    ),
    bind(configDaLinhaRoute, ({ sessao: { contaId }, params }) =>
      db.transaction(contaId, async (tx) => {
        const { id: linhaId } = await readLine(tx, deps, contaId, params.id)
        return readLineConfig(tx, deps, { contaId, linhaId })
      }),
    ),
    bind(salvarConfigDaLinhaRoute, ({ sessao, params, body: { versao, ...sections } }) =>
      saveLineConfig(deps, sessao, { linhaId: params.id, sections, versao }, async (tx) => {
        await readLine(tx, deps, sessao.contaId, params.id)
      }),
    ),
  ]
}
