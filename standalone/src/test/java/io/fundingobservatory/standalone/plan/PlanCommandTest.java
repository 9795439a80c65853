package io.fundingobservatory.standalone.plan;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fundingobservatory.standalone.Ran;
import java.time.Duration;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * {@code observatory plan} compared with the venues' documentation: which requests are due how often, and what each
 * costs. Names of requests are those of their recorded bodies. The simulated venue lists a few contracts.
 */
class PlanCommandTest {
    /** 2026-11-20 15:42:00 UTC: contracts of all intervals settle at 16:00. */
    private static final String START = "1795189320000";

    /** One line of {@code --all}. */
    private record Line(LocalTime time, String priority, String request, String units) {
        static Line of(String text) {
            String[] cells = text.split(" {2,}");
            return new Line(LocalTime.parse(cells[0]), cells[1], cells[2], cells[3]);
        }
    }

    private static List<Line> plan(String venue) {
        Ran ran = Ran.observatory("plan", venue, "--contracts", "8", "--at", START, "--all");
        assertEquals(0, ran.exit(), ran::err);
        return ran.out()
                .lines()
                .filter(line -> line.matches("\\d\\d:\\d\\d:\\d\\d .*"))
                .map(Line::of)
                .toList();
    }

    private static List<Line> of(List<Line> plan, String request) {
        return plan.stream().filter(line -> line.request().equals(request)).toList();
    }

    /** Once a minute, each time for so many units of its pools. */
    private static List<Line> assertEachMinute(List<Line> plan, String request, String units) {
        List<Line> sent = of(plan, request);
        assertTrue(sent.size() == 60 || sent.size() == 61, () -> request + ' ' + sent.size());
        sent.forEach(line -> assertEquals("rates", line.priority(), request));
        sent.forEach(line -> assertEquals(units, line.units(), request));
        return sent;
    }

    /** A minute apart, but for the second poll, which gives the venue a phase of its own. */
    private static void assertMinuteApart(List<Line> sent) {
        for (int i = 2; i < sent.size(); i++) {
            long seconds =
                    Duration.between(sent.get(i - 1).time(), sent.get(i).time()).toSeconds();
            assertTrue(Math.abs(seconds - 60) <= 5, sent.get(i) + " after " + seconds + " s");
        }
    }

    /** Once an hour, up to a tenth of an hour early: at the start, and perhaps once more. */
    private static void assertHourly(List<Line> plan, String request, String units) {
        List<Line> sent = of(plan, request);
        assertTrue(sent.size() == 1 || sent.size() == 2, () -> request + ' ' + sent.size());
        assertTrue(sent.getFirst().time().isBefore(LocalTime.parse("15:42:10")), sent::toString);
        assertTrue(sent.size() == 1 || sent.getLast().time().isAfter(LocalTime.parse("16:35:59")), sent::toString);
        sent.forEach(line -> assertEquals("lists", line.priority(), request));
        sent.forEach(line -> assertEquals(units, line.units(), request));
    }

    /** Two calls of weight 10 a minute, three hourly lists; fundingInfo and fundingRate share a pool of their own. */
    @Test
    void binanceSendsTwoRequestsAMinute() {
        List<Line> plan = plan("binance");
        assertAll(
                () -> assertMinuteApart(assertEachMinute(plan, "fapi_premiumIndex", "10 of fapi.binance.com")),
                () -> assertMinuteApart(assertEachMinute(plan, "dapi_premiumIndex", "10 of dapi.binance.com")),
                () -> assertHourly(
                        plan, "fapi_fundingInfo", "1 of fapi fundingRate and fundingInfo, 1 of fapi.binance.com"),
                () -> assertHourly(plan, "fapi_exchangeInfo", "1 of fapi.binance.com"),
                () -> assertHourly(plan, "dapi_exchangeInfo", "1 of dapi.binance.com"));
        // rates of each poll come before its history
        List<Line> history =
                plan.stream().filter(line -> line.priority().equals("history")).toList();
        assertTrue(history.getFirst().time().isAfter(LocalTime.parse("15:42:19")), history::toString);
        assertTrue(
                history.stream()
                        .filter(line -> line.request().startsWith("fapi_"))
                        .allMatch(line -> line.units().contains("1 of fapi fundingRate and fundingInfo")),
                history::toString);
    }

    /** Four calls a minute, each of which returns everything, and one hourly list. */
    @Test
    void okxSendsFourRequestsAMinute() {
        List<Line> plan = plan("okx");
        for (String request :
                List.of("funding-rate_ANY", "mark-price_SWAP", "index-tickers_USDT", "index-tickers_USD")) {
            assertMinuteApart(assertEachMinute(plan, request, "1 of www.okx.com"));
        }
        assertTrue(of(plan, "instruments_SWAP").size() <= 2);
        assertEquals("instruments_SWAP", plan.getFirst().request(), "a list comes before the rates");
    }

    /** 1,200 weight a minute for rates and history together, of which a fifth is used; each request weighs 20 or more. */
    @Test
    void hyperliquidStaysWithinAFifthOfItsWeight() {
        List<Line> plan = plan("hyperliquid");
        assertEachMinute(plan, "metaAndAssetCtxs", "20 of api.hyperliquid.xyz");
        Map<LocalTime, Integer> units = new HashMap<>();
        for (Line line : plan) {
            int weight = Integer.parseInt(line.units().replace(" of api.hyperliquid.xyz", ""));
            assertTrue(weight >= 20 && weight <= 45, line::toString);
            units.merge(line.time(), weight, Integer::sum);
        }
        var most = new ArrayList<Integer>();
        units.keySet()
                .forEach(end -> most.add(units.entrySet().stream()
                        .filter(one ->
                                !one.getKey().isAfter(end) && one.getKey().isAfter(end.minusSeconds(59)))
                        .mapToInt(Map.Entry::getValue)
                        .sum()));
        assertTrue(most.stream().allMatch(weight -> weight <= 240), most::toString);
    }

    @Test
    void showsEachRequestAndPoolOnOneLine() {
        Ran ran = Ran.observatory("plan", "binance", "--contracts", "8", "--at", START);
        assertEquals(0, ran.exit(), ran::err);
        assertTrue(ran.out().startsWith("binance: "), ran::out);
        assertTrue(ran.out().contains(" requests in the hour from 15:42:00 UTC, "), ran::out);
        assertTrue(
                ran.out().lines().anyMatch(line -> line.matches("rates +fapi_premiumIndex +each poll +6[01] .*")),
                ran::out);
        assertTrue(
                ran.out().lines().anyMatch(line -> line.matches("lists +fapi_fundingInfo +every 1 h +[12] .*")),
                ran::out);
        assertTrue(
                ran.out().lines().anyMatch(line -> line.matches("fapi.binance.com +2400 in 60 s +\\d+ +0\\.\\d % +.*")),
                ran::out);
        assertTrue(
                ran.out()
                        .lines()
                        .anyMatch(line -> line.matches("fapi fundingRate and fundingInfo +500 in 300 s +\\d+ .*")),
                ran::out);
    }

    @Test
    void rejectsUnknownVenueInOneLine() {
        Ran ran = Ran.observatory("plan", "nowhere");
        assertEquals(1, ran.exit());
        assertTrue(ran.err().startsWith("observatory: no reader for nowhere; "), ran::err);
    }
}
