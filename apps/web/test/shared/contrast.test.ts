import { describe, expect, it } from 'vitest'
import { textColorOn } from '#shared/ui/contrast.ts'

/** Relative luminance of WCAG 2.2. */
function luminanceOf(color: string): number {
  const parts = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
  const [red = 0, green = 0, blue = 0] = parts.map((part) =>
    part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrastOf(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

const LEVELS = ['00', '33', '66', '77', '99', 'cc', 'ff']

describe('textColorOn', () => {
  it('has a contrast of at least 4.5 to 1 on any colour', () => {
    const colors = LEVELS.flatMap((red) => LEVELS.flatMap((green) => LEVELS.map((blue) => `#${red}${green}${blue}`)))
    const weak = colors.filter((color) => contrastOf(color, textColorOn(color)) < 4.5)
    expect(weak).toEqual([])
  })
})
