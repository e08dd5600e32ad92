// The order counts: rules of equal weight follow each other as here.
import './styles/base.css'
import './styles/menu.css'
import './styles/controls.css'
import './styles/order.css'
import type { Cardapio } from '@balcao/contract/entities/cardapio'
import { create } from '#chat/dom.ts'
import { createMenuApi } from './api.ts'
import { Order } from './order.ts'
import { showMenuPage } from './menu-view.ts'
import { openOrder } from './order-dialog.ts'

/** The menu of a shop for its customers. The server puts the data into the page. */

const TOKEN = 'balcao:cardapio:t'

/** The token is of one customer, so it must not stay in an address that people share. */
function takeToken(): string | undefined {
  const { searchParams } = new URL(location.href)
  const given = searchParams.get('t')
  try {
    if (given === null) return sessionStorage.getItem(TOKEN) ?? undefined
    history.replaceState(null, '', location.pathname)
    sessionStorage.setItem(TOKEN, given)
    return given
  } catch {
    return given ?? undefined
  }
}

function readData(): Cardapio | null {
  const text = document.getElementById('dados')?.textContent ?? ''
  return text === '' ? null : JSON.parse(text)
}

function showMissing(page: HTMLElement): void {
  page.replaceChildren(
    create(
      'main',
      { class: 'aviso' },
      create('h1', {}, 'Cardápio não encontrado'),
      create('p', {}, 'Confira o endereço com a loja. O cardápio pode estar fora do ar por enquanto.'),
    ),
  )
}

const page = document.getElementById('pagina')
const data = readData()
if (page !== null && data === null) showMissing(page)
if (page !== null && data !== null) {
  const endereco = location.pathname.split('/')[2] ?? ''
  const api = createMenuApi(endereco, takeToken())
  const order = new Order(data, `balcao:cardapio:${endereco}`)
  showMenuPage(page, order, () => openOrder(order, api))
}
