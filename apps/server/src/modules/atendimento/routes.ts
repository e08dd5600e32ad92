import {
  assumirConversaRoute,
  conversaHumanaRoute,
  conversasHumanasRoute,
  devolverConversaRoute,
  digitandoRoute,
  enviarMensagemRoute,
  fichaDoClienteRoute,
  finalizarConversaRoute,
  mensagensDaConversaRoute,
  reenviarMensagemRoute,
  testeConversaRoute,
  transferirConversaRoute,
} from '@balcao/contract/routes/atendimento'
import { reagirRoute } from '@balcao/contract/routes/atendimento-marcas'
import {
  atualizarSetorRoute,
  criarSetorRoute,
  removerSetorRoute,
  setoresRoute,
} from '@balcao/contract/routes/atendimento-setores'
import { type BoundRoute, bind } from '#http/handle.ts'
import { pageOf } from '#http/page.ts'
import { createSharedReads } from '#http/shared-reads.ts'
import type { ConfigDeps } from '#modules/configuracao/index.ts'
import { assumirConversa } from './assumir-conversa.ts'
import { listConversasHumanas, listMensagensDaConversa, paginaDe, readConversa } from './consultas.ts'
import { criarConversaDeTeste } from './criar-conversa-de-teste.ts'
import { devolverConversa } from './devolver-conversa.ts'
import { digitarComoOperador } from './digitar-como-operador.ts'
import type { EnviarDeps } from './enviar-como-operador.ts'
import { createEnvios } from './enviar-em-lote.ts'
import { enviarMensagem } from './enviar-mensagem.ts'
import { readFicha } from './ficha.ts'
import { finalizarConversa } from './finalizar-conversa.ts'
import { reagir } from './reagir.ts'
import { reenviarMensagem } from './reenviar-mensagem.ts'
import { transferirConversa } from './transferir-conversa.ts'
import { atualizarSetor, criarSetor, listarSetores, removerSetor } from './setores.ts'

const MENSAGENS_POR_PAGINA = 50

export function atendimentoRoutes(deps: ConfigDeps & EnviarDeps): BoundRoute[] {
  // All windows of a conta refetch the same lists after an event or a reconnect. Concurrent equal reads share one
  // query.
  const listas = createSharedReads<Awaited<ReturnType<typeof listConversasHumanas>>>()
  const paginas = createSharedReads<Awaited<ReturnType<typeof listMensagensDaConversa>>>()
  const enviar = createEnvios(deps)
  return [
    bind(conversasHumanasRoute, ({ sessao: { contaId }, query }) => {
      const filtro = { ...query, pagina: paginaDe(query) }
      return listas(JSON.stringify([contaId, filtro]), () =>
        deps.db.read(contaId, (tx) => listConversasHumanas(tx, contaId, filtro), 'indices'),
      )
    }),
    bind(conversaHumanaRoute, async ({ sessao: { contaId }, params }) => ({
      conversa: await deps.db.read(contaId, (tx) => readConversa(tx, contaId, params.id), 'indices'),
    })),
    bind(mensagensDaConversaRoute, ({ sessao: { contaId }, params, query }) => {
      const pagina = pageOf(query, MENSAGENS_POR_PAGINA)
      return paginas(JSON.stringify([contaId, params.id, pagina]), () =>
        deps.db.read(contaId, (tx) => listMensagensDaConversa(tx, contaId, params.id, pagina), 'indices'),
      )
    }),
    bind(fichaDoClienteRoute, ({ sessao: { contaId }, params }) =>
      deps.db.read(contaId, (tx) => readFicha(tx, contaId, params.id)),
    ),
    bind(enviarMensagemRoute, ({ sessao, params, body }) => enviarMensagem(enviar, sessao, { id: params.id, ...body })),
    bind(reenviarMensagemRoute, ({ sessao, params }) => reenviarMensagem(deps, sessao, params.id)),
    bind(reagirRoute, ({ sessao, params, body }) => reagir(deps, sessao, { ...params, ...body })),
    bind(assumirConversaRoute, async ({ sessao, params }) => ({
      conversa: await assumirConversa(deps, sessao, params.id),
    })),
    bind(finalizarConversaRoute, async ({ sessao, params }) => ({
      conversa: await finalizarConversa(deps, sessao, params.id),
    })),
    bind(digitandoRoute, async ({ sessao, params }) => {
      await digitarComoOperador(deps, sessao, params.id)
      return { sucesso: true as const }
    }),
    bind(testeConversaRoute, async ({ sessao, body }) => ({
      conversa: await criarConversaDeTeste(deps, sessao, body.setor),
    })),
    bind(transferirConversaRoute, async ({ sessao, params, body }) => ({
      conversa: await transferirConversa(deps, sessao, { id: params.id, setor: body.setor }),
    })),
    bind(devolverConversaRoute, async ({ sessao, params }) => ({
      conversa: await devolverConversa(deps, sessao, params.id),
    })),
    bind(setoresRoute, async ({ sessao }) => ({ setores: await listarSetores(deps, sessao.contaId) })),
    bind(criarSetorRoute, async ({ sessao, body }) => ({ setor: await criarSetor(deps, sessao, body) })),
    bind(atualizarSetorRoute, async ({ sessao, params, body }) => ({
      setor: await atualizarSetor(deps, sessao, { id: params.id, mudado: body }),
    })),
    bind(removerSetorRoute, async ({ sessao, params }) => ({
      sucesso: true as const,
      setores: await removerSetor(deps, sessao, params.id),
    })),
  ]
}
