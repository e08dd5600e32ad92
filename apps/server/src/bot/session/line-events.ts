import * as z from 'zod/mini'
import type { LinkState } from '@balcao/connector/port'
import type { MotivoBot, StatusBot } from '@balcao/contract/entities/bot-status'
import { storedLine } from '#db/statement/line.ts'
import { contaId, sql, value } from '#db/statement/sql.ts'
import { oneRow } from '#db/statement/statement.ts'
import { audienceOf } from '#modules/leitores/index.ts'
import { readLines } from '#modules/linhas/index.ts'
import type { LineKey } from '#ports/bots.ts'
import type { BotDeps } from '#bot/deps.ts'
import type { BotStatuses, ContextSource } from './status.ts'

const findServedOf = oneRow(
  'bot: find attended of address',
  z.object({
    id: z.string(),
    setor: z.nullable(z.string()),
    status: z.string(),
    operadorId: z.nullable(z.string()),
  }),
  sql`select v.id, v.setor, v.status, v.operador_id from enderecos e
      join conversas v on v.conta_id = e.conta_id and v.contato_id = e.contato_id
        and v.linha_id is not distinct from ${value('linha', 'uuid?')}
      where e.conta_id = ${contaId} and e.endereco = ${value('address', 'text')}
        and v.status in ('aguardando', 'em_atendimento')`,
)

interface ChangedStatus {
  readonly status: StatusBot
  readonly motivo?: MotivoBot
}

/** Publishes the state of lines. The main line has the events of `/bot`, the others `linhaMudou` and `linhaQrCode`. */
export class LineEvents {
  readonly #deps: Pick<BotDeps, 'db' | 'realtime' | 'vault'>
  readonly #contexts: ContextSource
  readonly #statuses: BotStatuses
  readonly #publishing = new Map<string, symbol>()

  constructor(deps: Pick<BotDeps, 'db' | 'realtime' | 'vault'>, contexts: ContextSource, statuses: BotStatuses) {
    this.#deps = deps
    this.#contexts = contexts
    this.#statuses = statuses
  }

  async statusChanged(line: LineKey, changed: ChangedStatus): Promise<void> {
    const { contaId } = line
    // `linhaMudou` carries the whole line.
    if (!(await this.#isMain(line))) return
    this.#deps.realtime.publish(contaId, 'botStatusChange', { userId: contaId, ...changed })
  }

  async qrCode(line: LineKey, { qrCode, expiraEm }: Extract<LinkState, { tipo: 'pareando' }>): Promise<void> {
    const { contaId, linhaId } = line
    const code = { userId: contaId, qrCode, qrExpiraEm: expiraEm.toISOString() }
    if (await this.#isMain(line)) this.#deps.realtime.publish(contaId, 'botQrCode', code)
    else this.#deps.realtime.publish(contaId, 'linhaQrCode', { ...code, linhaId })
  }

  /** Reads and publishes the state. Only the newest read publishes: an older one may end later with an outdated state. */
  async publish(line: LineKey): Promise<void> {
    const { linhaId } = line
    const mine = Symbol(linhaId)
    this.#publishing.set(linhaId, mine)
    try {
      const publish = await this.#read(line)
      if (this.#publishing.get(linhaId) === mine) publish()
    } finally {
      if (this.#publishing.get(linhaId) === mine) this.#publishing.delete(linhaId)
    }
  }

  /** Publishes what the status of the main line shows of the whole conta: contatos and logs. */
  async publishConta(contaId: string): Promise<void> {
    const linhaId = await this.#mainId(contaId)
    await this.publish({ contaId, linhaId })
  }

  /** Shows the people of the open conversa that its customer is typing. */
  async typing(line: LineKey, canonical: string): Promise<void> {
    const { db, realtime } = this.#deps
    const { contaId, linhaId } = line
    const of = { contaId, linha: storedLine(line), address: canonical }
    const conversa = await db.read(contaId, (tx) => findServedOf(tx, of))
    if (conversa === null) return
    const event = { userId: contaId, conversaId: conversa.id }
    realtime.publishConversa(contaId, 'clienteDigitando', event, audienceOf({ ...conversa, linhaId }))
  }

  async #read(line: LineKey): Promise<() => void> {
    const { db, realtime } = this.#deps
    const { contaId, linhaId } = line
    this.#statuses.forgetLists(contaId)
    if (await this.#isMain(line)) {
      const status = await this.#statuses.get(line)
      return () => realtime.publish(contaId, 'botStatus', { userId: contaId, ...status })
    }
    const linhas = await db.transaction(contaId, (tx) => readLines(tx, this.#deps, contaId))
    const linha = linhas.find(({ id }) => id === linhaId)
    // A deleted line is not listed.
    return () => linha !== undefined && realtime.publish(contaId, 'linhaMudou', { userId: contaId, linha })
  }

  async #isMain({ contaId, linhaId }: LineKey): Promise<boolean> {
    return (await this.#mainId(contaId)) === linhaId
  }

  async #mainId(contaId: string): Promise<string> {
    const { linhas } = await this.#contexts.get(contaId)
    return linhas.find(({ principal }) => principal)?.id ?? contaId
  }
}
