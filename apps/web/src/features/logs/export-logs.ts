import type { Log } from '@balcao/contract/entities/log'
import { logsRoute } from '@balcao/contract/routes/registros'
import { call } from '#shared/api-client.ts'
import { downloadText } from '#shared/download.ts'
import { formatIsoDate } from '#shared/format.ts'
import { logQueryOf, type LogFilter } from './log-filter.ts'

/** Larger exports would overload browser and server: the user must narrow the filter. */
export const LOG_EXPORT_MAX = 10_000
/** Page size limit of the server. */
const PAGE_SIZE = 200

interface ExportedLogs {
  readonly logs: readonly Log[]
  readonly truncated: boolean
}

export async function fetchAllLogs(filter: LogFilter): Promise<ExportedLogs> {
  const logs: Log[] = []
  let cursor: string | undefined
  do {
    const query = { ...logQueryOf(filter), limite: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) }
    const page = await call(logsRoute, { query })
    logs.push(...page.logs)
    cursor = page.proximoCursor
  } while (cursor !== undefined && logs.length < LOG_EXPORT_MAX)
  return { logs: logs.slice(0, LOG_EXPORT_MAX), truncated: cursor !== undefined }
}

function logFileName(now: Date): string {
  return `logs-${formatIsoDate(now)}.json`
}

export function downloadLogs({ logs }: ExportedLogs, now: Date): void {
  downloadText(logFileName(now), 'application/json', `${JSON.stringify(logs, null, 2)}\n`)
}
