import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{contract,server,web,test}/**/*.test.ts'],
    exclude: ['test/journeys/**', 'node_modules/**'],
    globalSetup: 'test/engine.ts',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    // A shared machine may stand still for seconds; what fails twice is broken
    retry: process.env.CI ? 1 : 0,
  },
})
