import { renderToStaticMarkup, renderToString } from 'react-dom/server'
import { Simulador } from './ilha.tsx'
import { Landing, LUGAR_DO_SIMULADOR } from './landing.tsx'

export function renderLanding(): string {
  const lugar = `<div id="${LUGAR_DO_SIMULADOR}"></div>`
  const [antes, depois] = renderToStaticMarkup(<Landing />).split(lugar)
  if (antes === undefined || depois === undefined) return ''
  return `${antes}<div id="${LUGAR_DO_SIMULADOR}">${renderToString(<Simulador />)}</div>${depois}`
}
