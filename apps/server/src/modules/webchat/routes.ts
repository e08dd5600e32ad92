import type { FastifyInstance } from 'fastify'
import { isOpenAt } from '@balcao/engine/rules/horario'
import {
  apagarVisitanteRoute,
  chatConfigRoute,
  criarVisitanteRoute,
  digitandoNoChatRoute,
  enviarMidiaNoChatRoute,
  enviarNoChatRoute,
  eventosDoChatRoute,
  lidaNoChatRoute,
  mensagensDoChatRoute,
} from '@balcao/contract/routes/visitante'
import { salvarWebchatRoute, segredoWebchatRoute, webchatRoute } from '@balcao/contract/routes/webchat'
import type { Deps } from '#deps.ts'
import { bind, type BoundRoute } from '#http/handle.ts'
import { ipKey } from '#lib/ip-address.ts'
import { loadConfig } from '#modules/configuracao/index.ts'
import { eraseVisitor } from './erase.ts'
import { createChatLimits, type ChatLimits } from './limits.ts'
import { markChatRead, readMessages } from './messages/read.ts'
import { parseChatFile, receiveFile, receiveMessage } from './messages/receive.ts'
import { createSecret, readWebchat, saveWebchat } from './settings.ts'
import { ChatStreams } from './messages/stream.ts'
import { createVisits, type Visits } from './visit.ts'
import { createVisitor } from './visitor.ts'

function settingsRoutes(deps: Deps): BoundRoute[] {
  return [
    bind(webchatRoute, async ({ sessao: { contaId }, params }) => ({
      webchat: await readWebchat(deps, { contaId, linhaId: params.id }),
    })),
    bind(salvarWebchatRoute, async ({ sessao, params, body }) => ({
      webchat: await saveWebchat(deps, sessao, { ...body, linhaId: params.id }),
    })),
    bind(segredoWebchatRoute, async ({ sessao, params }) => ({
      segredo: await createSecret(deps, sessao, params.id),
    })),
  ]
}

function messageRoutes(deps: Deps, { requireVisit }: Visits, limits: ChatLimits): BoundRoute[] {
  return [
    bind(mensagensDoChatRoute, async ({ params, query, request }) => {
      const visit = await requireVisit(request, params.chave)
      return readMessages(deps, visit, query.depois)
    }),
    bind(enviarNoChatRoute, async ({ params, body, request }) => {
      const visit = await requireVisit(request, params.chave)
      limits.countMessage(visit.visitanteId)
      return receiveMessage(deps, visit, body)
    }),
    bind(enviarMidiaNoChatRoute, async ({ params, request }) => {
      const visit = await requireVisit(request, params.chave)
      limits.countMessage(visit.visitanteId)
      return receiveFile(deps, visit, await parseChatFile(request, visit))
    }),
    bind(lidaNoChatRoute, async ({ params, body, request }) =>
      markChatRead(deps, await requireVisit(request, params.chave), body.ate),
    ),
    bind(digitandoNoChatRoute, async ({ params, request }) => {
      const visit = await requireVisit(request, params.chave)
      deps.webchat.customerTyping(visit, visit.endereco)
    }),
  ]
}

function streamRoute(http: FastifyInstance, deps: Deps, { requireVisit }: Visits, limits: ChatLimits): BoundRoute {
  const streams = new ChatStreams(deps)
  // A stream never ends, and the server waits for its requests.
  http.addHook('preClose', (done) => {
    streams.close()
    done()
  })
  const route = bind(eventosDoChatRoute, async ({ params, request, ip }) => {
    const visit = await requireVisit(request, params.chave)
    const release = limits.holdStream(ipKey(ip))
    try {
      return await streams.open(visit, request.headers['last-event-id']?.toString(), release)
    } catch (error) {
      release()
      throw error
    }
  })
  // A proxy must not collect events.
  return { ...route, headers: { 'x-accel-buffering': 'no' } }
}

export function webchatRoutes(http: FastifyInstance, deps: Deps): BoundRoute[] {
  const visits = createVisits(deps)
  const limits = createChatLimits()
  return [
    ...settingsRoutes(deps),
    bind(chatConfigRoute, async ({ params, request }) => {
      const { contaId, empresa: nome, cor, saudacao, pedirNome } = await visits.requireChat(request, params.chave)
      const { config } = await deps.db.read(contaId, (tx) => loadConfig(tx, deps, contaId))
      const aberto = isOpenAt(config.atendimento.horario, deps.clock.now().getTime())
      return { nome, cor, saudacao, aberto, pedirNome }
    }),
    bind(criarVisitanteRoute, async ({ params, body, request, ip }) => {
      const chat = await visits.requireChat(request, params.chave)
      limits.countVisitor(ipKey(ip))
      return createVisitor(deps, chat, body)
    }),
    ...messageRoutes(deps, visits, limits),
    streamRoute(http, deps, visits, limits),
    bind(apagarVisitanteRoute, async ({ params, request }) =>
      eraseVisitor(deps, await visits.requireVisit(request, params.chave)),
    ),
  ]
}
