import type { Reporter, TestModule } from 'vitest/node'

/**
 * Ends a run with the names of the tests that passed only at the second try, and with the line `N passed, N failed,
 * N skipped`.
 */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modulos: readonly TestModule[]): void {
    const total = { passed: 0, failed: 0, skipped: 0, pending: 0 }
    const segundaVez: string[] = []
    for (const modulo of modulos) {
      for (const isTest of modulo.children.allTests()) {
        total[isTest.result().state] += 1
        if (isTest.diagnostic()?.flaky === true) {
          const cause = isTest.result().errors?.[0]
          const onde = cause?.stacks?.[0]
          segundaVez.push(`${modulo.relativeModuleId} > ${isTest.fullName}`)
          if (cause !== undefined) segundaVez.push(`  ${cause.message}\n  ${onde?.file}:${onde?.line}`)
        }
      }
    }
    for (const name of segundaVez) process.stdout.write(`\nonly at the second try: ${name}`)
    process.stdout.write(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`)
  }
}
