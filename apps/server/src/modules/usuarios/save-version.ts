import type { MotivoBot } from '@balcao/contract/entities/bot-status'
import type { WhatsappSettings } from '@balcao/contract/entities/whatsapp'
import { ERROS, TEXTO_DO_MOTIVO } from '@balcao/contract/errors'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { RequestSession } from '#http/authentication.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import { findAttempt, findTestLine, hasLinked, restartLink, restartOutdated } from '#modules/bot/index.ts'
import type { LineKey } from '#ports/bots.ts'
import { acceptVersion, beginVersionTest, readProtocolVersion, refuseVersion } from './protocol-version.ts'

const ASK_EVERY_MS = 200
const ATTEMPT_MS = 20_000
/** After this long the line uses the stored version again, also when this node died. */
const TEST_MS = 60_000

type VersionDeps = Pick<Deps, 'db' | 'ids' | 'clock' | 'bots' | 'sleep'>

/**
 * Tries the version on one session. All others use it from their next connection on, after that session connected with
 * it. Throws `versaoRecusada` and changes nothing when it did not.
 */
export async function saveProtocolVersion(
  deps: VersionDeps,
  actor: RequestSession,
  versao: string | null,
): Promise<WhatsappSettings> {
  const { db } = deps
  const before = await db.read('*', readProtocolVersion)
  if (before.versao === versao) return before
  const line = await db.read('*', async (tx) => {
    const found = await findTestLine(tx, {})
    // Without any session there is none that the version could break.
    if (found === null && (await hasLinked(tx, {}))) throw new AppError('semSessaoDeTeste')
    return found
  })
  if (line !== null) await testOn(deps, actor, { line, versao })
  return db.transaction('*', async (tx) => {
    await acceptVersion(tx, { versao })
    await restartOutdated(tx, {})
    const tested = line === null ? 'sem sessão para testar' : 'testada em uma sessão'
    await recordAuditoria(tx, deps, {
      acao: 'versaoWhatsappAlterada',
      quem: actor,
      detalhe: `De ${nameOf(before.versao)} para ${nameOf(versao)}, ${tested}`,
    })
    return readProtocolVersion(tx)
  })
}

const nameOf = (versao: string | null): string => versao ?? 'automática'

interface VersionTest {
  readonly line: LineKey
  readonly versao: string | null
}

async function testOn(deps: VersionDeps, actor: RequestSession, { line, versao }: VersionTest): Promise<void> {
  const { db, clock, bots } = deps
  const { linhaId } = line
  const epoca = await db.transaction('*', async (tx) => {
    const now = clock.now()
    const until = new Date(now.getTime() + TEST_MS)
    if ((await beginVersionTest(tx, { linhaId, versao, now, until })) === 0) throw new AppError('conflito')
    tx.afterCommit(() => bots.linkRestarted(line))
    return (await restartLink(tx, line))?.epoca ?? 0
  })
  const motivo = await reasonOfFailure(deps, line, epoca)
  if (motivo === null) return
  await db.transaction('*', async (tx) => {
    await refuseVersion(tx, { recusada: { versao, motivo, em: clock.now().toISOString() } })
    await restartLink(tx, line)
    await recordAuditoria(tx, deps, {
      acao: 'versaoWhatsappAlterada',
      quem: actor,
      resultado: 'recusado',
      detalhe: `${nameOf(versao)}: ${motivo}`,
    })
    tx.afterCommit(() => bots.linkRestarted(line))
  })
  throw new AppError('versaoRecusada', { erro: `${ERROS.versaoRecusada.erro} ${motivo}` })
}

/** Waits for the session that started after `epoca`. Null when it connected. */
async function reasonOfFailure({ db, sleep }: VersionDeps, line: LineKey, epoca: number): Promise<string | null> {
  let last: MotivoBot | null = null
  for (let waited = 0; waited < ATTEMPT_MS; waited += ASK_EVERY_MS) {
    const attempt = await db.read(line.contaId, (tx) => findAttempt(tx, line))
    if (attempt !== null && attempt.epoca > epoca) {
      if (attempt.status === 'CONECTADO') return null
      last = attempt.motivo
      if (HAS_ENDED.has(attempt.status)) break
    }
    await sleep(ASK_EVERY_MS)
  }
  if (last === 'clienteDesatualizado') return 'O WhatsApp não aceita esta versão.'
  return last === null ? 'Ela não respondeu em 20 segundos.' : TEXTO_DO_MOTIVO[last]
}

const HAS_ENDED: ReadonlySet<string> = new Set(['ERRO', 'erro_auth', 'PARADO', 'AGUARDANDO_QR'])
