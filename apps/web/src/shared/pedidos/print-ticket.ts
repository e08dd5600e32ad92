import type { Pedido } from '@balcao/contract/entities/pedido'
import { cupomPedidoRoute } from '@balcao/contract/routes/pedidos'
import { ApiError, conclude, fillPath } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { readToken } from '#shared/storage.ts'
import { TEXTS } from '#shared/texts.ts'

/** The route answers with plain text, so `call` cannot read it. */
async function fetchTicket(id: string): Promise<string> {
  const token = readToken()
  const headers = new Headers(token === null ? {} : { authorization: `Bearer ${token}` })
  const address = `/api${fillPath(cupomPedidoRoute.path, { id })}?formato=texto`
  const reply = await fetch(address, { headers }).catch(() => {
    throw new ApiError(0, 'semRede', TEXTS.semRede)
  })
  const text = await reply.text()
  return reply.ok ? text : conclude<never>(cupomPedidoRoute, reply.status, text, token)
}

function printText(title: string, text: string): void {
  document.querySelector('iframe[data-cupom]')?.remove()
  const frame = document.createElement('iframe')
  frame.dataset['cupom'] = ''
  frame.title = title
  // Browsers print nothing of a frame without a box.
  frame.className = 'sr-only'
  frame.ariaHidden = 'true'
  frame.tabIndex = -1
  document.body.append(frame)
  const { contentDocument: page, contentWindow: view } = frame
  if (page === null || view === null) return
  page.title = title
  const sheet = page.createElement('pre')
  sheet.textContent = text
  sheet.style.font = '12px/1.3 monospace'
  sheet.style.margin = '0'
  page.body.append(sheet)
  view.addEventListener('afterprint', () => setTimeout(() => frame.remove()))
  view.print()
}

export async function printTicket({ id, numero }: Pedido): Promise<void> {
  try {
    printText(`Pedido nº ${numero}`, await fetchTicket(id))
  } catch (error) {
    notify.erro(errorMessage(error))
  }
}
