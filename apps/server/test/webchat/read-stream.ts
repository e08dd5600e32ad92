import type { TestApp } from '#test/app.ts'
import { waitUntil } from '#test/app.ts'

export interface StreamEvent {
  readonly id: string
  readonly event: string
  readonly data: Record<string, unknown>
}

export interface TestStream {
  readonly status: number
  readonly headers: Headers
  readonly events: readonly StreamEvent[]
  /** Waits until an event fits. */
  readonly until: (fits: (event: StreamEvent) => boolean) => Promise<StreamEvent>
  /** Resolves when the server ended the stream. */
  readonly ended: Promise<void>
  readonly close: () => void
}

interface StreamOptions {
  readonly token: string
  readonly last?: string | undefined
  readonly ip?: string
}

/** Reads the stream as a page does, with `fetch`. */
export async function openStream(
  { url }: Pick<TestApp, 'url'>,
  chave: string,
  { token, last, ip }: StreamOptions,
): Promise<TestStream> {
  const abort = new AbortController()
  const reply = await fetch(`${url}/api/web/${chave}/eventos`, {
    headers: {
      authorization: `Bearer ${token}`,
      ...(last === undefined ? {} : { 'last-event-id': last }),
      ...(ip === undefined ? {} : { 'x-forwarded-for': ip }),
    },
    signal: abort.signal,
  })
  const events: StreamEvent[] = []
  const ended = reply.status === 200 ? read(reply, events) : Promise.resolve()
  return {
    ...{ status: reply.status, headers: reply.headers, events, ended },
    until: (fits) => waitUntil(() => events.find(fits) ?? null),
    close: () => abort.abort(),
  }
}

async function read({ body }: Response, events: StreamEvent[]): Promise<void> {
  let text = ''
  try {
    for await (const bytes of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += bytes
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const fields = new Map(
          block
            .split('\n')
            .map((line): [string, string] => [line.split(': ')[0] ?? '', line.slice(line.indexOf(': ') + 2)]),
        )
        const [id, event, data] = [fields.get('id'), fields.get('event'), fields.get('data')]
        if (id !== undefined && event !== undefined && data !== undefined)
          events.push({ id, event, data: JSON.parse(data) })
      }
    }
  } catch {
    // The test closed it.
  }
}
