import type * as z from 'zod/mini'
import { AiFailure, motivoForStatus, type OwnErrors, redact } from '#adapters/ia/failures.ts'
import type { ProviderAccess } from '#adapters/ia/provedores/provider.ts'
import type { AiMidia } from '#ports/ai.ts'

export interface Heard {
  /** Without spaces around it. */
  readonly texto: string
  /** The provider did not want to write the audio down. */
  readonly isRefused: boolean
  readonly tokensEntrada: number
  readonly tokensSaida: number
}

/** Writes down audio at one vendor. */
export interface VoiceListener {
  readonly modelFor: (chosen: string) => string
  /** Throws `AiFailure`. */
  readonly hear: (access: ProviderAccess, modelo: string, audio: AiMidia) => Promise<Heard>
}

interface ReadOptions<T extends z.ZodMiniType> {
  readonly schema: T
  readonly errors: OwnErrors
  readonly apiKey: string
}

/** Throws `AiFailure`. The error of a parser may quote the transcript, which no log may have. */
export async function readTranscript<T extends z.ZodMiniType>(
  reply: Response,
  { schema, errors, apiKey }: ReadOptions<T>,
): Promise<z.output<T>> {
  const body = await reply.text()
  if (!reply.ok)
    throw new AiFailure(motivoForStatus(reply.status, body, errors), redact(`${reply.status} ${body}`, apiKey))
  try {
    return schema.parse(JSON.parse(body))
  } catch {
    throw new AiFailure('confusa')
  }
}
