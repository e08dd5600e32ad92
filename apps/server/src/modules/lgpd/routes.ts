import { LINK_PRIVACIDADE, PRIVACIDADE_PADRAO } from '@balcao/contract/entities/lgpd'
import {
  apagarTitularRoute,
  exportarTitularRoute,
  privacidadeRoute,
  registroOperacoesRoute,
  salvarPrivacidadeRoute,
  titularRoute,
} from '@balcao/contract/routes/lgpd'
import { throughGate } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { type BoundRoute, bind } from '#http/handle.ts'
import { createGate } from '#lib/queue/gate.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import { loadConfig } from '#modules/configuracao/index.ts'
import { insertLog } from '#modules/logs/index.ts'
import { readTitularSummary } from './count-titular.ts'
import { type EraseDeps, eraseTitular } from './erase-titular.ts'
import { exportTitular } from './export-titular.ts'
import { loadPrivacidade, readController, savePrivacidade } from './privacidade.ts'
import { buildProcessingRecord } from './processing-record.ts'

/** An export is read later, by the customer too. */
const EXPORTED_FILES_MS = 24 * 3_600_000

type LgpdDeps = EraseDeps & Pick<Deps, 'fileLinks'>

/** A page of an export may have 5 MB, so each conta builds one at a time. */
const EXPORT_GATE = {
  ...{ atOnce: 4, runningPerKey: () => 1, waiting: 100, waitingPerKey: 10, waitMs: 10_000 },
  full: () =>
    new AppError('servidorOcupado', { erro: 'Há outra exportação em andamento. Tente de novo em instantes.' }),
}

function exportRoute(deps: LgpdDeps): BoundRoute {
  const { db, clock, settings, fileLinks } = deps
  const gate = createGate(EXPORT_GATE)
  return bind(exportarTitularRoute, ({ sessao, params, query: { cursor } }) =>
    throughGate(db, gate, sessao.contaId).transaction(sessao.contaId, async (tx) => {
      const { contaId, nome } = sessao
      const exported = await exportTitular(tx, contaId, {
        ...{ escrito: params.telefone, cursor },
        agora: clock.now(),
        avisoPadrao: PRIVACIDADE_PADRAO.aviso.texto.replaceAll(LINK_PRIVACIDADE, `${settings.urlPublica}/privacy`),
        fileUrl: (url) => fileLinks.sign(contaId, url, EXPORTED_FILES_MS),
      })
      const mensagem = `Os dados de um cliente foram exportados a pedido dele (LGPD), por ${nome}`
      if (cursor === undefined) await insertLog(tx, deps, contaId, { tipo: 'info', mensagem })
      const detalhe = `De um cliente, a pedido dele${cursor === undefined ? '' : ' (continuação)'}`
      await recordAuditoria(tx, deps, { acao: 'dadosExportados', quem: sessao, detalhe })
      return exported
    }),
  )
}

export function lgpdRoutes(deps: LgpdDeps): BoundRoute[] {
  const { db, clock } = deps
  return [
    bind(privacidadeRoute, async ({ sessao: { contaId } }) => ({
      privacidade: await db.read(contaId, (tx) => loadPrivacidade(tx, contaId)),
    })),
    bind(salvarPrivacidadeRoute, async ({ sessao, body }) => ({
      privacidade: await savePrivacidade(deps, sessao, body),
    })),
    bind(titularRoute, async ({ sessao: { contaId }, params }) => ({
      titular: await db.read(contaId, (tx) => readTitularSummary(tx, contaId, params.telefone)),
    })),
    exportRoute(deps),
    bind(apagarTitularRoute, async ({ sessao, params }) => ({
      sucesso: true as const,
      ...(await eraseTitular(deps, sessao, params.telefone)),
    })),
    bind(registroOperacoesRoute, async ({ sessao: { contaId } }) =>
      db.read(contaId, async (tx) => {
        const { config } = await loadConfig(tx, deps, contaId)
        return {
          controlador: await readController(tx, { contaId }),
          geradoEm: clock.now().toISOString(),
          operacoes: buildProcessingRecord(await loadPrivacidade(tx, contaId), config),
        }
      }),
    ),
  ]
}
