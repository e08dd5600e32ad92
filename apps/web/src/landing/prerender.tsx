import { renderToStaticMarkup, renderToString } from 'react-dom/server'
import { DemoPhone } from './ilha.tsx'
import { Landing, DEMO_PHONE_ID } from './landing.tsx'

export function renderLanding(): string {
  const lugar = `<div id="${DEMO_PHONE_ID}"></div>`
  const [antes, depois] = renderToStaticMarkup(<Landing />).split(lugar)
  if (antes === undefined || depois === undefined) return ''
  return `${antes}<div id="${DEMO_PHONE_ID}">${renderToString(<DemoPhone />)}</div>${depois}`
}
