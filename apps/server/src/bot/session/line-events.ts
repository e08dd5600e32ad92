import type { LinkState } from '@balcao/connector/port'
import type { MotivoBot, StatusBot } from '@balcao/contract/entities/bot-status'
import { readLines } from '#modules/linhas/index.ts'
import type { LineKey } from '#ports/bots.ts'
import type { BotDeps } from '#bot/deps.ts'
import type { BotStatuses, ContextSource } from './status.ts'

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
