import { renderToStaticMarkup, renderToString } from 'react-dom/server'
import { DemoPhone } from './demo-phone.tsx'
import { Landing, DEMO_PHONE_ID } from './landing.tsx'

export function renderLanding(): string {
  const place = `<div id="${DEMO_PHONE_ID}"></div>`
  const [before, after] = renderToStaticMarkup(<Landing />).split(place)
  if (before === undefined || after === undefined) return ''
  return `${before}<div id="${DEMO_PHONE_ID}">${renderToString(<DemoPhone />)}</div>${after}`
}
