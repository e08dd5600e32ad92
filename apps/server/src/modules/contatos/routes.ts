import {
  atualizarContatoRoute,
  contatoRoute,
  contatosRoute,
  criarContatoRoute,
  exportarContatosRoute,
  importarContatosRoute,
} from '@balcao/contract/routes/contatos'
import {
  atualizarEtiquetaRoute,
  criarEtiquetaRoute,
  etiquetasRoute,
  excluirEtiquetaRoute,
} from '@balcao/contract/routes/etiquetas'
import { contatosLoteRoute } from '@balcao/contract/routes/lote'
import { bind, type BoundRoute } from '#http/handle.ts'
import { changeEtiqueta, createEtiqueta, deleteEtiqueta } from './etiquetas/change-etiquetas.ts'
import { listEtiquetas } from './etiquetas/repository.ts'
import { tagContatos } from './etiquetas/tag-contatos.ts'
import { exportContatos } from './export-contatos.ts'
import { createImport, type ImportDeps } from './import/import-contatos.ts'
import { listContatos, readContato } from './repository.ts'
import { changeContato, createContato } from './save-contato.ts'

export function contatosRoutes(deps: ImportDeps): BoundRoute[] {
  const importFile = createImport(deps)
  return [
    bind(contatosRoute, ({ sessao, query }) =>
      deps.db.read(sessao.contaId, (tx) => listContatos(tx, sessao.contaId, { ...query, reader: sessao }), {
        planner: 'indexes',
      }),
    ),
    {
      ...bind(exportarContatosRoute, ({ sessao }) => exportContatos(deps, sessao)),
      headers: { 'content-disposition': 'attachment; filename="contatos.csv"', 'cache-control': 'no-store' },
    },
    bind(contatoRoute, async ({ sessao, params }) => ({
      contato: await deps.db.read(sessao.contaId, (tx) => readContato(tx, sessao.contaId, params.id, sessao)),
    })),
    bind(criarContatoRoute, async ({ sessao, body }) => ({ contato: await createContato(deps, sessao, body) })),
    bind(atualizarContatoRoute, async ({ sessao, params, body }) => ({
      contato: await changeContato(deps, sessao, { ...params, ...body }),
    })),
    bind(contatosLoteRoute, ({ sessao: { contaId }, body: { contatoIds, ...change } }) =>
      deps.db.transaction(contaId, (tx) => tagContatos(tx, deps, contaId, contatoIds, change)),
    ),
    bind(importarContatosRoute, ({ sessao, query, request }) => importFile(request, sessao, query.simular === 'true')),
    ...etiquetasRoutes(deps),
  ]
}

function etiquetasRoutes(deps: ImportDeps): BoundRoute[] {
  return [
    bind(etiquetasRoute, async ({ sessao: { contaId } }) => ({
      etiquetas: await deps.db.read(contaId, (tx) => listEtiquetas(tx, { contaId })),
      proximoCursor: null,
    })),
    bind(criarEtiquetaRoute, async ({ sessao, body }) => ({
      etiqueta: await createEtiqueta(deps, sessao.contaId, body),
    })),
    bind(atualizarEtiquetaRoute, async ({ sessao, params, body }) => ({
      etiqueta: await changeEtiqueta(deps, sessao, { ...params, ...body }),
    })),
    bind(excluirEtiquetaRoute, ({ sessao, params }) => deleteEtiqueta(deps, sessao, params.id)),
  ]
}
