import { type FrameOrder, type FrameSize, READY, type SiteChange, type SiteStart } from './protocol.ts'

/** The page that embeds the frame. */
export interface Site extends Pick<SiteStart, 'pagina' | 'identidade'> {
  readonly stored: Map<string, string>
  readonly set: (name: string, value: string | null) => void
  readonly resize: (size: FrameSize) => void
  /** Another tab stored a value. */
  readonly onChange: (listener: (name: string, value: string | null) => void) => void
}

const isStart = (data: unknown): data is SiteStart =>
  typeof data === 'object' && data !== null && 'balcao' in data && data.balcao === 'inicio'

/** Resolves when a page of an allowed origin answered. Other pages learn nothing. */
export function connectSite(allowed: readonly string[]): Promise<Site> {
  const { promise, resolve } = Promise.withResolvers<Site>()
  addEventListener('message', ({ source, origin, data, ports: [port] }: MessageEvent<unknown>) => {
    if (source !== parent || !allowed.includes(origin) || !isStart(data) || port === undefined) return
    resolve(siteOf(data, port))
  })
  parent.postMessage(READY, '*')
  return promise
}

function siteOf({ stored, pagina, identidade }: SiteStart, port: MessagePort): Site {
  const values = new Map(Object.entries(stored))
  const keep = (name: string, value: string | null): void => {
    if (value === null) values.delete(name)
    else values.set(name, value)
  }
  const order = (message: FrameOrder): void => port.postMessage(message)
  return {
    ...{ stored: values, pagina },
    ...(identidade === undefined ? {} : { identidade }),
    set: (name, value) => {
      keep(name, value)
      order({ set: name, value })
    },
    resize: (size) => order({ size }),
    onChange: (listener) => {
      port.addEventListener('message', ({ data: { name, value } }: MessageEvent<SiteChange>) => {
        keep(name, value)
        listener(name, value)
      })
      port.start()
    },
  }
}
