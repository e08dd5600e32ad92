import type { LanguageModel } from 'ai'
import type * as z from 'zod/mini'
import { AiFailure, motivoForStatus, type OwnErrors, redact } from '#adapters/ia/failures.ts'
import type { AvailableModel } from '#ports/ai.ts'

export interface ProviderAccess {
  readonly apiKey: string
  /** Without a slash at the end. */
  readonly baseUrl: string
  readonly fetch: typeof globalThis.fetch
}

type Options = Record<string, string | number | boolean | Record<string, number>>

/** Access to an AI vendor: its SDK, its list of models and its errors. */
export interface Provider {
  /** Creates models. The call loads the SDK of the vendor, so that others do not pay for it. */
  readonly loadModels: () => Promise<(access: ProviderAccess, modelo: string) => LanguageModel>
  readonly options?: (modelo: string) => Record<string, Options>
  readonly listModels: (access: ProviderAccess, limit: number) => Promise<AvailableModel[]>
  /** The name to send for a retired one. */
  readonly resolve?: (modelo: string) => string
  /** False for a name that must not be sent. */
  readonly acceptsModel: (modelo: string) => boolean
  /** Answers when the vendor does not know the chosen model. Null: the question fails. */
  readonly fallbackModel: string | null
  readonly errors: OwnErrors
}

/** Reads JSON from the vendor. Throws `AiFailure`. */
export async function readJson<T extends z.ZodMiniType>(
  { apiKey, baseUrl, fetch }: ProviderAccess,
  { path, headers, schema, errors }: ListRequest<T>,
): Promise<z.output<T>> {
  const reply = await fetch(`${baseUrl}${path}`, { headers: { ...headers, accept: 'application/json' } })
  const body = await reply.text()
  if (!reply.ok) {
    throw new AiFailure(motivoForStatus(reply.status, body, errors), redact(`${reply.status} ${body}`, apiKey))
  }
  const parsed = schema.safeParse(parseJson(body))
  if (!parsed.success) throw new AiFailure('confusa')
  return parsed.data
}

interface ListRequest<T> {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly schema: T
  readonly errors: OwnErrors
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}
