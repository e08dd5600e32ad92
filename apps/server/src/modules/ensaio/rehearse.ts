import { connectorOf } from '@balcao/contract/connectors'
import { midiasLidas } from '@balcao/contract/presets/provedores-ia'
import type { Config } from '@balcao/contract/entities/config'
import type { ConfigInput } from '@balcao/contract/entities/config-input'
import type { Ensaio } from '@balcao/contract/entities/prova'
import type { IaResult } from '@balcao/engine/event'
import { maskedName, type PlayedConversa, ReplayedDialogue, type ReplayItem } from '@balcao/engine/rehearsal/replay'
import { isDeepStrictEqual } from 'node:util'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { LoginSession } from '#http/authentication.ts'
import { previewConfig } from '#modules/configuracao/index.ts'
import {
  type AccountContext,
  type AccountContextDeps,
  channelOfLine,
  contextOfLine,
  loadAccountContext,
  toBotContext,
} from '#modules/ia/index.ts'
import { listConversasToReplay, readItems, readKeptAnswers, type StoredConversa } from './read-conversas.ts'
import { createSlices } from './slices.ts'

export type RehearsalDeps = AccountContextDeps & Pick<Deps, 'db' | 'clock' | 'conectores'>

const DAY_MS = 86_400_000
const PAGE = 200
const SHOWN_MAX = 50
const FIRST_ID = '00000000-0000-0000-0000-000000000000'
const WEB_MENU_LINK = '(endereço do cardápio)'

interface Worlds {
  readonly before: AccountContext
  readonly after: AccountContext
  readonly kept: ReadonlyMap<string, IaResult>
}

/** Replays the conversas in sequence and pauses between them, so that the process answers requests meanwhile. */
export async function rehearse(
  deps: RehearsalDeps,
  session: LoginSession,
  { config, dias }: { readonly config: ConfigInput; readonly dias: number },
): Promise<Ensaio> {
  const { contaId } = session
  const until = deps.clock.now()
  const since = new Date(until.getTime() - dias * DAY_MS)
  const worlds = await deps.db.read(contaId, (tx) => loadWorlds(tx, deps, session, config))
  const tally = createTally()
  const pause = createSlices()
  const dialogues = new Map<string, Dialogue>()
  let last: StoredConversa | undefined
  do {
    const after = { contatoId: last?.contatoId ?? FIRST_ID, conversaId: last?.id ?? FIRST_ID }
    const { conversas, items } = await deps.db.read(contaId, async (tx) => {
      const page = await listConversasToReplay(tx, { contaId, since, until, limit: PAGE, ...after })
      return { conversas: page, items: await readItems(tx, contaId, page) }
    })
    for (const conversa of conversas) {
      if (conversa.contatoId !== last?.contatoId) dialogues.clear()
      last = conversa
      const played = dialogueOf(dialogues, worlds, conversa).play(conversa, items.get(conversa.id) ?? [])
      tally.add(conversa, played)
      await pause()
    }
    if (conversas.length < PAGE) last = undefined
  } while (last !== undefined)
  return tally.result()
}

async function loadWorlds(tx: Tx, deps: RehearsalDeps, session: LoginSession, input: ConfigInput): Promise<Worlds> {
  const { contaId } = session
  const stored = await loadAccountContext(tx, deps, contaId)
  const config = await previewConfig(tx, deps, { session, current: stored.config, input })
  const kept = await readKeptAnswers(tx, contaId)
  return { before: withSettings(stored, stored.config), after: withSettings(stored, config), kept }
}

/** No file is read again: a kept answer says what the AI made of it. */
function withSettings(account: AccountContext, config: Config): AccountContext {
  const { lerMidia, provedor, modeloGemini } = config.ia
  const iaReadsMidia = lerMidia ? midiasLidas(provedor, modeloGemini) : []
  return { ...account, config, iaReadsMidia, iaPausedUntil: null }
}

interface PlayedTwice {
  readonly antes: PlayedConversa
  readonly depois: PlayedConversa
}

interface Dialogue {
  readonly play: (conversa: StoredConversa, items: readonly ReplayItem[]) => PlayedTwice
}

/** The bot keeps the state of a contato on each line. */
function dialogueOf(dialogues: Map<string, Dialogue>, worlds: Worlds, conversa: StoredConversa): Dialogue {
  const { linhaId } = conversa
  const known = dialogues.get(linhaId)
  if (known !== undefined) return known
  const antes = dialogueIn(worlds.before, worlds.kept, conversa)
  const depois = dialogueIn(worlds.after, worlds.kept, conversa)
  const dialogue: Dialogue = {
    play: ({ protocolo }, items) => ({
      antes: antes.play(items, protocolo ?? undefined),
      depois: depois.play(items, protocolo ?? undefined),
    }),
  }
  dialogues.set(linhaId, dialogue)
  return dialogue
}

function dialogueIn(
  account: AccountContext,
  kept: Worlds['kept'],
  { linhaId, nome, avisadoEm, paradoEm, iniciadaEm }: StoredConversa,
): ReplayedDialogue {
  const began = iniciadaEm.getTime()
  const earlier = (instant: number | null): number | null => (instant === null || instant >= began ? null : instant)
  return new ReplayedDialogue({
    context: toBotContext(contextOfLine(account, linhaId)),
    // Texts may name the customer.
    contato: { nome: maskedName(nome), telefone: '' },
    consent: { avisadoEm: earlier(avisadoEm), paradoEm: earlier(paradoEm) },
    connector: connectorOf(channelOfLine(account, linhaId)),
    ...(account.pageLink === null ? {} : { link: WEB_MENU_LINK }),
    keptAnswer: (question) => kept.get(question) ?? null,
  })
}

function createTally() {
  const count = { conversas: 0, iguais: 0 }
  const transferencias = { antes: 0, depois: 0 }
  const mensagens = { antes: 0, depois: 0 }
  let diferentes: Ensaio['diferentes'] = []
  return {
    add: ({ id, nome }: StoredConversa, { antes, depois }: PlayedTwice): void => {
      count.conversas += 1
      transferencias.antes += antes.setores.length > 0 ? 1 : 0
      transferencias.depois += depois.setores.length > 0 ? 1 : 0
      mensagens.antes += antes.textos.length
      mensagens.depois += depois.textos.length
      if (isDeepStrictEqual(antes, depois)) {
        count.iguais += 1
        return
      }
      diferentes.push({
        ...{ conversaId: id, cliente: maskedName(nome), antes: [...antes.textos], depois: [...depois.textos] },
        setores: { antes: [...antes.setores], depois: [...depois.setores] },
      })
      if (diferentes.length >= 2 * SHOWN_MAX) diferentes = newest(diferentes)
    },
    result: (): Ensaio => ({ ...count, diferentes: newest(diferentes), transferencias, mensagens }),
  }
}

function newest(different: Ensaio['diferentes']): Ensaio['diferentes'] {
  return different.toSorted((a, b) => (a.conversaId < b.conversaId ? 1 : -1)).slice(0, SHOWN_MAX)
}

/** Rehearsals of this node. */
const AT_ONCE = 2
const RETRY_S = 10

/** Runs one rehearsal of an account at a time. Throws `ensaioEmAndamento`, and `servidorOcupado` above 2 on this node. */
export function createRehearsals(deps: RehearsalDeps) {
  const running = new Set<string>()
  return async (...[session, wanted]: [LoginSession, Parameters<typeof rehearse>[2]]): Promise<Ensaio> => {
    if (running.has(session.contaId)) throw new AppError('ensaioEmAndamento')
    if (running.size >= AT_ONCE) throw new AppError('servidorOcupado', { tentarEmS: RETRY_S })
    running.add(session.contaId)
    try {
      return await rehearse(deps, session, wanted)
    } finally {
      running.delete(session.contaId)
    }
  }
}
