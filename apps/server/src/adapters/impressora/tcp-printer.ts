import { connect } from 'node:net'
import { type Printer, type PrinterAddress, PrinterRefused, PrinterSilent } from '#ports/impressora/printer.ts'
import { type AllowedPrinters, createPrinterCheck } from './allowed-addresses.ts'

/** A printer in the same network answers in milliseconds. */
const TIMEOUT_MS = 2_000
/**
 * A broken printer resets the connection, a working one closes it. A printer that does neither in this time counts as
 * working: it hangs and prints its buffer later, or it keeps connections open.
 */
const BREAK_MS = 250

/** Printers that listen on TCP, as nearly all thermal ones do on port 9100. */
export function createTcpPrinter(allowed: AllowedPrinters = { networks: [] }): Printer {
  const isAllowed = createPrinterCheck(allowed)
  return {
    enabled: allowed.networks.length > 0 || allowed.loopback === true,
    print: async (to, bytes) => {
      if (!isAllowed(to.endereco, to.porta)) throw new PrinterRefused('address not allowed')
      await send(to, bytes)
    },
  }
}

function send({ endereco, porta }: PrinterAddress, bytes: Uint8Array): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const socket = connect({ host: endereco, port: porta })
  let began = false
  let sent = false
  let rest: NodeJS.Timeout | undefined
  const timer = setTimeout(() => {
    reject(new PrinterSilent(began))
    socket.destroy()
  }, TIMEOUT_MS)
  socket.once('connect', () => {
    began = true
    socket.end(bytes)
  })
  socket.once('finish', () => {
    sent = true
    rest = setTimeout(resolve, BREAK_MS)
  })
  // The status that a printer sends back would otherwise reset the connection.
  socket.resume()
  socket.on('error', (error) => reject(new PrinterSilent(began, error)))
  socket.once('close', () => {
    clearTimeout(timer)
    clearTimeout(rest)
    if (sent) resolve()
    else reject(new PrinterSilent(began))
  })
  return promise
}
