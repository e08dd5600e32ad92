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
import { reagirRoute } from '@balcao/contract/routes/atendimento-reactions'
import {
  atualizarSetorRoute,
  criarSetorRoute,
  removerSetorRoute,
  setoresRoute,
} from '@balcao/contract/routes/atendimento-setores'
import { type BoundRoute, bind } from '#http/handle.ts'
import { pageOf } from '#http/page.ts'
import { createSharedReads } from '#lib/share-reads.ts'
import type { ConfigDeps } from '#modules/configuracao/index.ts'
import { finishConversa } from './conversa/finish.ts'
import { returnConversaToBot } from './conversa/return-to-bot.ts'
import { takeConversa } from './conversa/take.ts'
import { createTestConversa } from './conversa/test-conversa.ts'
import { transferConversa } from './conversa/transfer.ts'
import { react } from './envio/react.ts'
import { resendMensagem } from './envio/resend.ts'
import { createSendBatcher } from './envio/send-batch.ts'
import type { SendDeps } from './envio/send-mensagens.ts'
import { readFicha } from './ficha.ts'
import { listServedConversas, listMensagensOf, conversaPageOf, readConversa } from './queries.ts'
import { updateSetor, createSetor, listSetores, removeSetor } from './setores.ts'
import { signalTyping } from './typing.ts'

const MENSAGENS_PER_PAGE = 50

export function atendimentoRoutes(deps: ConfigDeps & SendDeps): BoundRoute[] {
  // All windows of a conta refetch the same lists after an event or a reconnect. Concurrent equal reads share one
  // query.
  const lists = createSharedReads<Awaited<ReturnType<typeof listServedConversas>>>()
  const pages = createSharedReads<Awaited<ReturnType<typeof listMensagensOf>>>()
  const send = createSendBatcher(deps)
  return [
    bind(conversasHumanasRoute, ({ sessao: { contaId }, query }) => {
      const filter = { ...query, pagina: conversaPageOf(query) }
      return lists(JSON.stringify([contaId, filter]), () =>
        deps.db.read(contaId, (tx) => listServedConversas(tx, contaId, filter), 'indices'),
      )
    }),
    bind(conversaHumanaRoute, async ({ sessao: { contaId }, params }) => ({
      conversa: await deps.db.read(contaId, (tx) => readConversa(tx, contaId, params.id), 'indices'),
    })),
    bind(mensagensDaConversaRoute, ({ sessao: { contaId }, params, query }) => {
      const page = pageOf(query, MENSAGENS_PER_PAGE)
      return pages(JSON.stringify([contaId, params.id, page]), () =>
        deps.db.read(contaId, (tx) => listMensagensOf(tx, contaId, params.id, page), 'indices'),
      )
    }),
    bind(fichaDoClienteRoute, ({ sessao: { contaId }, params }) =>
      deps.db.read(contaId, (tx) => readFicha(tx, contaId, params.id)),
    ),
    bind(enviarMensagemRoute, ({ sessao: { contaId, usuarioId, nome }, params, body }) => {
      const { mensagem: texto, idTemporario, citadaId } = body
      const operador = { id: usuarioId, nome }
      return send({ contaId, conversaId: params.id, texto, idTemporario, citadaId, operador })
    }),
    bind(reenviarMensagemRoute, ({ sessao, params }) => resendMensagem(deps, sessao, params.id)),
    bind(reagirRoute, ({ sessao, params, body }) => react(deps, sessao, { ...params, ...body })),
    bind(assumirConversaRoute, async ({ sessao, params }) => ({
      conversa: await takeConversa(deps, sessao, params.id),
    })),
    bind(finalizarConversaRoute, async ({ sessao, params }) => ({
      conversa: await finishConversa(deps, sessao, params.id),
    })),
    bind(digitandoRoute, async ({ sessao, params }) => {
      await signalTyping(deps, sessao, params.id)
      return { sucesso: true as const }
    }),
    bind(testeConversaRoute, async ({ sessao, body }) => ({
      conversa: await createTestConversa(deps, sessao, body.setor),
    })),
    bind(transferirConversaRoute, async ({ sessao, params, body }) => ({
      conversa: await transferConversa(deps, sessao, { id: params.id, setor: body.setor }),
    })),
    bind(devolverConversaRoute, async ({ sessao, params }) => ({
      conversa: await returnConversaToBot(deps, sessao, params.id),
    })),
    bind(setoresRoute, async ({ sessao }) => ({ setores: await listSetores(deps, sessao.contaId) })),
    bind(criarSetorRoute, async ({ sessao, body }) => ({ setor: await createSetor(deps, sessao, body) })),
    bind(atualizarSetorRoute, async ({ sessao, params, body }) => ({
      setor: await updateSetor(deps, sessao, { id: params.id, mudado: body }),
    })),
    bind(removerSetorRoute, async ({ sessao, params }) => ({
      sucesso: true as const,
      setores: await removeSetor(deps, sessao, params.id),
    })),
  ]
}
